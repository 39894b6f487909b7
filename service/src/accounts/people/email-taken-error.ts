/** Undoes all that a transaction did for an address that turns out to be somebody's. */
export class EmailTakenError extends Error {}

/** What `work` comes to, or `taken` when it found the address to be somebody's. */
export async function orTaken<Done, Taken>(
  work: Promise<Done>,
  taken: Taken,
): Promise<Done | Taken> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EmailTakenError) return taken;
    throw error;
  }
}
