/**
 * Deduplicated texts for a statement with many rows: each distinct text once, and its index for
 * each row, from 1 as in SQL, or null. `(<texts>)[<index>]` is the text.
 */
export interface TextPool {
  texts: string[];
  indexes: (number | null)[];
}

/** Null stays null. Meant for hundreds of texts, because SQL array access is linear. */
export function poolTexts(values: readonly (string | null)[]): TextPool {
  const indexOf = new Map<string, number>();
  const indexes = values.map((text) => {
    if (text === null) return null;
    const existing = indexOf.get(text);
    if (existing !== undefined) return existing;
    indexOf.set(text, indexOf.size + 1);
    return indexOf.size;
  });
  return { texts: [...indexOf.keys()], indexes };
}
