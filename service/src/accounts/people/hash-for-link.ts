import { QueueFullError } from '../../platform/bounded-queue.ts';
import type { AccountsDeps } from '../deps.ts';
import { type HashedPassword, hashNewPassword } from './hash-new-password.ts';
import { type LinkKind, returnTry, takeTry } from './one-time-link-store.ts';

/**
 * Hashes the password that a person chose with a link. Each link allows five tries, so that it cannot
 * keep the processors busy; a password that finds the queue full uses up none.
 */
export async function hashForLink(
  deps: Pick<AccountsDeps, 'db' | 'clock' | 'random'>,
  kind: LinkKind,
  input: { token: string; emailKey: string; password: string; personId?: string },
): Promise<HashedPassword | { kind: 'invalid-link' }> {
  const { token, ...chosen } = input;
  const { db, clock } = deps;
  if (!(await takeTry(db, kind, token, clock.now()))) return { kind: 'invalid-link' };
  try {
    return await hashNewPassword(deps, chosen);
  } catch (error) {
    if (error instanceof QueueFullError) await returnTry(db, token);
    throw error;
  }
}
