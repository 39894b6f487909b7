/** The named search parameters that are non-empty text or numbers, as text. */
export function readWords<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [N in Name]?: string } {
  const read: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') read[name] = text;
  }
  return read;
}

/** The value if it is one of the allowed ones, else undefined. */
export function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((it) => it === value);
}
