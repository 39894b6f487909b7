/**
 * Texts of which many are equal, for a statement that takes in many rows at once: each different one
 * once, and for each row its place, from 1 as in SQL, or null. `(<texts>)[<place>]` is the text again.
 */
export interface TextPool {
  texts: string[];
  places: (number | null)[];
}

/** Null stays null. Meant for hundreds: the store counts its way to each place. */
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
