/** An email address as typed, and its lower-case form, which must be unique. */
export interface Email {
  display: string;
  key: string;
}

/** Trimmed and plausible; null otherwise. Only a delivered email would prove an address. */
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

/** Rolls back a transaction because the email address is taken. */
export class EmailTakenError extends Error {}

/** Returns the result of `work`, or `whenTaken` if it failed with `EmailTakenError`. */
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
