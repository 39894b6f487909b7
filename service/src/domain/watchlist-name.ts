const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

export const WATCHLIST_NAME_RULE =
  '1 to 40 letters, digits, hyphens and underscores, starting with a letter or digit';

/** Returns the name of a watchlist in lower case, or null if the text cannot be a name. */
export function parseWatchlistName(text: string): string | null {
  const name = text.trim().toLowerCase();
  return NAME.test(name) ? name : null;
}

/** Returns the name in a reference such as `@tech`, or null if the text is no reference. */
export function parseWatchlistReference(text: string): string | null {
  const trimmed = text.trim();
  return trimmed.startsWith('@') ? parseWatchlistName(trimmed.slice(1)) : null;
}
