/** An e-mail address as it was typed, and what tells people apart: case does not. */
export interface Email {
  display: string;
  key: string;
}

/** Trimmed and plausible; null for anything else. Only a mail that arrives proves an address. */
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

/** Undoes all that a transaction did for an address that turns out to be somebody's. */
export class EmailTakenError extends Error {}

/** What `work` comes to, or `taken` when it found the address to be somebody's. */
export async function orEmailTaken<Done, Taken>(
  work: Promise<Done>,
  whenTaken: Taken,
): Promise<Done | Taken> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EmailTakenError) return whenTaken;
    throw error;
  }
}
