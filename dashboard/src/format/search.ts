/** The named search parameters that are non-empty text or numbers, as text. */
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

/** The value if it is one of the allowed ones, else undefined. */
export function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((allowedValue) => allowedValue === value);
}
