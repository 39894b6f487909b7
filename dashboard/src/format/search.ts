/** Returns the listed search parameters that are non-empty text or numbers, as text. */
export function readTextParams<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [N in Name]?: string } {
  const params: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') params[name] = text;
  }
  return params;
}

/** Returns the value if it is one of the allowed values, or else undefined. */
export function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((allowedValue) => allowedValue === value);
}

/** Returns true for non-empty text of at most 100 characters. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 100;
}

/** Returns a valid date such as `2026-11-22`, or else undefined. */
export function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const date = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(value) ? undefined : value;
}
