const DAY_MS = 86_400_000;

/** How long a key can be made for. */
export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '1', label: 'After a day' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
];

/** The instant at which a key ends that is made now; null for one that does not. */
export function expiryFromNow(choice: string): string | null {
  if (choice === 'never') return null;
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}
