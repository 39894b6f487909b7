import type { Session } from '../../accounts/sessions/session-store.ts';
import type { CallResult } from './route.ts';

/** The answer to somebody whose account was just made: nothing but the cookie of their session. */
export function enter({ token, session }: { token: string; session: Session }): CallResult {
  return { kind: 'done', cookie: { set: token, expiresAt: session.expiresAt } };
}
