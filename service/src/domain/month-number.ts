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

/**
 * Returns the number (1 to 12) of an English month, also of an abbreviation such as `Sept`. Returns 0
 * for anything else, which makes no valid date.
 */
export function monthNumber(name: string | undefined): number {
  const folded = (name ?? '').trim().toLowerCase();
  if (folded.length < ABBREVIATION_LENGTH) return 0;
  return MONTHS.findIndex((month) => month.startsWith(folded)) + 1;
}

/** Returns the English name of a month (1 to 12) in lower case. Throws for any other number. */
export function monthName(number: number): string {
  const name = MONTHS[number - 1];
  if (name === undefined) throw new RangeError(`not a month: ${number}`);
  return name;
}
