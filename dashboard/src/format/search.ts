/** Those of the named parts of an address that are words; what is no word is left out. */
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

/** The value when it is one of those that are known, else nothing. */
export function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((it) => it === value);
}
