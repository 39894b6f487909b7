const STEPS: readonly [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/**
 * Formats a duration in the largest unit that it contains at least twice: `45 s`, `3 min`, `30 h`,
 * `2 d`.
 */
export function formatSpan(seconds: number): string {
  for (const [name, size] of STEPS) {
    if (seconds >= 2 * size) return `${Math.round(seconds / size)} ${name}`;
  }
  return `${Math.round(seconds)} s`;
}
