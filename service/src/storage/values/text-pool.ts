/**
 * Deduplicated texts for a statement with many rows: each distinct text once, and its index for
 * each row, from 1 as in SQL, or null. `(<texts>)[<index>]` is the text.
 */
export interface TextPool {
  texts: string[];
  places: (number | null)[];
}

/** Null stays null. Meant for hundreds of texts, because SQL array access is linear. */
export function poolTexts(values: readonly (string | null)[]): TextPool {
  const placeOf = new Map<string, number>();
  const places = values.map((text) => {
    if (text === null) return null;
    const known = placeOf.get(text);
    if (known !== undefined) return known;
    placeOf.set(text, placeOf.size + 1);
    return placeOf.size;
  });
  return { texts: [...placeOf.keys()], places };
}
