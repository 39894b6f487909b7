/** An email address as typed, with its lower-case form, by which people sign in. */
export interface Email {
  display: string;
  key: string;
}

/**
 * Returns the trimmed address if it is plausible, otherwise null. Only a delivered email would
 * prove that an address exists.
 */
export function readEmail(text: string): Email | null {
  const display = text.trim().normalize('NFKC');
  if (
    display.length > 254 ||
    !/^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+\.[^\s@\p{Cc}.]+$/u.test(display)
  ) {
    return null;
  }
  return { display, key: display.toLowerCase() };
}
