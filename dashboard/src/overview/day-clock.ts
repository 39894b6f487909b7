/** Returns the minutes since midnight for a time such as `09:30`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return 60 * hours + minutes;
}

/**
 * Returns the position of a time between `from` and `to`, from 0 to 1, or null if it is outside
 * that range.
 */
export function shareOf(time: string, { from, to }: { from: string; to: string }): number | null {
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const share = (minutesOf(time) - begin) / (end - begin);
  return share >= 0 && share <= 1 ? share : null;
}
