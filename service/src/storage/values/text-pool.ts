/**
 * Deduplicated texts for a statement with many rows. It contains each distinct text once, and for
 * each row the index of its text, counted from 1 as in SQL, or null. `(<texts>)[<index>]` returns
 * the text.
 */
export interface TextPool {
  texts: string[];
  indexes: (number | null)[];
}

/**
 * Pools texts. Null stays null. Intended for hundreds of texts, because SQL array access is linear.
 */
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
