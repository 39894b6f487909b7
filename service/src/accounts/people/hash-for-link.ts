import { QueueFullError } from '../../platform/bounded-queue.ts';
import type { AccountsDeps } from '../deps.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { type LinkKind, returnTry, takeTry } from './one-time-link-store.ts';

/**
 * Hashes the password that a person chose with a link. Each link allows five tries, so that it cannot
 * keep the processors busy; a password that finds the queue full uses up none. Returns null if the
 * link is not valid.
 */
export async function hashForLink(
  { db, clock, random }: Pick<AccountsDeps, 'db' | 'clock' | 'random'>,
  kind: LinkKind,
  { token, password }: { token: string; password: string },
): Promise<string | null> {
  if (!(await takeTry(db, kind, token, clock.now()))) return null;
  try {
    return await hashPassword(password, random);
  } catch (error) {
    if (error instanceof QueueFullError) await returnTry(db, token);
    throw error;
  }
}
