import type { Actor } from '../../accounts/audit-log.ts';
import type { Principal } from '../../accounts/permissions.ts';
import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { keyRefusal } from '../../accounts/keys/key-refusal.ts';
import type { KeyUse } from '../../accounts/keys/key-last-used.ts';
import type { Person } from '../../accounts/people/person-store.ts';
import type { Session } from '../../accounts/sessions/session-store.ts';
import { actorOf, findSession } from '../../accounts/sessions/sessions.ts';
import { problem, type Problem } from '../problems.ts';
import { type Authenticator, rejectInvalidKey } from '../request/authenticate.ts';
import { hasApiKeyHeader, readApiKey } from '../request/api-key.ts';
import type { ManagementDeps } from './deps.ts';

/** Who calls: a person whose browser holds a session, or a program with a key of scope `manage`. */
export type Caller =
  | { kind: 'person'; person: Person; session: Session }
  | { kind: 'key'; key: ApiKey };

export interface Credentials {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of the session, as the browser sent it. */
  cookie: string | null;
  address: string;
}

export interface CallerDeps extends Authenticator {
  deps: ManagementDeps;
  /** What a key was used for does not matter: one that manages and never reads is in use too. */
  keyUse: Pick<KeyUse, 'note'>;
}

/**
 * Finds out who calls. A key in a header goes before a cookie, so that a program that is given one
 * acts as that key and nothing else. Null: nobody said who they are.
 */
export async function authenticateCaller(
  { deps, keyUse, ...doorkeepers }: CallerDeps,
  given: Credentials,
): Promise<Caller | null | { refusal: Problem }> {
  const { headers, cookie, address } = given;
  if (hasApiKeyHeader(headers)) {
    const found = findKey({ ...doorkeepers, clock: deps.clock }, headers, address);
    if ('key' in found) keyUse.note(found.key.id, deps.clock.now());
    return found;
  }
  if (cookie === null) return null;
  const found = await findSession(deps, cookie);
  return found === null ? null : { kind: 'person', ...found };
}

function findKey(
  { keys, failedAuthLimiter: strangers, clock }: Authenticator & { clock: ManagementDeps['clock'] },
  headers: Credentials['headers'],
  address: string,
): Extract<Caller, { kind: 'key' }> | { refusal: Problem } {
  const presented = readApiKey(headers, []);
  if ('refusal' in presented) return presented;
  const key = keys.find(presented.text);
  const visit = { now: clock.now(), address, scope: 'manage' } as const;
  const code = key === null ? 'invalid-api-key' : keyRefusal(key, visit);
  if (key !== null && code === null) return { kind: 'key', key };
  if (code === null || code === 'invalid-api-key') {
    return { refusal: rejectInvalidKey(strangers, visit) };
  }
  return { refusal: problem(code, 'The key does not open the management interface now.') };
}

/** As the table of rights sees it. */
export function principalOf(caller: Caller): Principal {
  if (caller.kind === 'key') return { kind: 'key', customerId: caller.key.customerId };
  const { role, customerId } = caller.person;
  return { kind: 'person', role, customerId, passwordAt: caller.session.passwordAt };
}

/** As the audit shows it. */
export function actorOfCaller(caller: Caller | null, address: string): Actor {
  if (caller === null) return { kind: 'system', id: null, label: 'not signed in', address };
  if (caller.kind === 'person') return actorOf(caller.person, { address });
  const { id, prefix, last4 } = caller.key;
  return { kind: 'key', id, label: `${prefix}…${last4}`, address };
}
