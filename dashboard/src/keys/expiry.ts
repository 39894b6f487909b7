const DAY_MS = 86_400_000;

export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '1', label: 'In 1 day' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

/** The expiry of a key created now; null for no expiry. */
export function expiryFromNow(choice: string): string | null {
  if (choice === 'never') return null;
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}
