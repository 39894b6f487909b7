const wholeNumber = new Intl.NumberFormat('en-US');
const compactNumber = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const percentage = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** Formats a count as `12,345`. */
export function formatCount(value: number): string {
  return wholeNumber.format(value);
}

/** Formats a number as `12.3K` or `4.1B`. */
export function formatCompact(value: number): string {
  return compactNumber.format(value);
}

/** Formats a ratio as a percentage, such as `99.2%`. */
export function formatShare(value: number): string {
  return percentage.format(value);
}

/** Formats a percentage with a sign, such as `+4.2%`. Null is shown as a dash. */
export function formatSignedPercent(value: number | null): string {
  if (value === null) return '–';
  return `${value > 0 ? '+' : ''}${value.toFixed(2)}%`;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Formats a size as `1.4 GB`, with units of 1,024. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  return `${value.toFixed(value < 10 && step > 0 ? 1 : 0)} ${UNITS[step]}`;
}

/**
 * Formats a duration as `12 ms` or `1.2 s`. Very small values are shown as `< 0.1 ms`, and only
 * zero as `0 ms`.
 */
export function formatMs(ms: number): string {
  if (ms === 0) return '0 ms';
  if (ms < 0.05) return '< 0.1 ms';
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
