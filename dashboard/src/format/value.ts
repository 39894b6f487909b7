/** Formats any value in a row. A missing value is shown as a dash. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
    return value.length === 0 ? '–' : value.join(', ');
  }
  return JSON.stringify(value);
}

/** Returns true if two values in a row are equal. `1.50` equals 1.5. */
export function isSame(left: unknown, right: unknown): boolean {
  return normalize(left) === normalize(right);
}

function normalize(value: unknown): string {
  const text = formatValue(value);
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? String(Number(text)) : text;
}

/** Returns the row as an object, or null if it isn't an object. */
export function fieldsOf(row: unknown): Readonly<Record<string, unknown>> | null {
  const isFields = typeof row === 'object' && row !== null && !Array.isArray(row);
  return isFields ? (row as Record<string, unknown>) : null;
}
