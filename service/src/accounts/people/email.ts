/** An email address as typed, with its lower-case form, which must be unique. */
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

/** Thrown to roll back a transaction when the email address is taken. */
export class EmailTakenError extends Error {}

/** Returns the result of `work`, or `whenTaken` if `work` fails with `EmailTakenError`. */
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
