import { signIn } from '../../accounts/sign-in/sign-in.ts';
import type { Visitor } from '../../accounts/sessions/sessions.ts';
import type { ManagementDeps } from './deps.ts';
import { refusedTooMany, unexpected } from './refusals.ts';
import type { Outcome } from './route.ts';

/** Signs somebody in who has just chosen this password, with nothing but the cookie as the answer. */
export async function enter(
  deps: ManagementDeps,
  given: { email: string; password: string } & Visitor,
): Promise<Outcome> {
  const outcome = await signIn(deps, given);
  if (outcome.kind === 'too-many') return refusedTooMany(outcome);
  if (outcome.kind !== 'signed-in') return unexpected(outcome);
  const { token, session } = outcome;
  return { kind: 'done', cookie: { set: token, expiresAt: session.expiresAt } };
}
