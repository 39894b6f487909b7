const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const ABBREVIATION_LENGTH = 3;

/** Returns the number (1 to 12) of an English month, also of one cut to `Sept`; otherwise null. */
export function monthNumber(name: string): number | null {
  const folded = name.trim().toLowerCase();
  if (folded.length < ABBREVIATION_LENGTH) return null;
  const index = MONTHS.findIndex((month) => month.startsWith(folded));
  return index === -1 ? null : index + 1;
}
