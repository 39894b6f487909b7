/** An e-mail address as it was typed, and what tells people apart: case does not. */
export interface Email {
  shown: string;
  key: string;
}

/** Trimmed and plausible; null for anything else. Only a mail that arrives proves an address. */
export function readEmail(text: string): Email | null {
  const shown = text.trim().normalize('NFKC');
  if (shown.length > 254 || !/^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+\.[^\s@\p{Cc}.]+$/u.test(shown)) {
    return null;
  }
  return { shown, key: shown.toLowerCase() };
}
