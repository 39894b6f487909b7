import type { Actor } from '../../accounts/audit-log.ts';
import type { Principal } from '../../accounts/permissions.ts';
import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { keyRefusal } from '../../accounts/keys/key-refusal.ts';
import type { KeyUseRecorder } from '../../accounts/keys/key-last-used.ts';
import type { Person } from '../../accounts/people/person-store.ts';
import type { Session } from '../../accounts/sessions/session-store.ts';
import { personActor, findSession } from '../../accounts/sessions/sessions.ts';
import { problem, type Problem } from '../problems.ts';
import {
  type Authenticator,
  customerMoved,
  customerMoving,
  rejectInvalidKey,
  reportMisuse,
} from '../request/authenticate.ts';
import { hasApiKeyHeader, readApiKey } from '../request/api-key.ts';
import type { ManagementDeps } from './deps.ts';

/** A person with a browser session, or a program with an API key that has the scope `manage`. */
export type Caller =
  | { kind: 'person'; person: Person; session: Session }
  | { kind: 'key'; key: ApiKey };

export interface Credentials {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Value of the session cookie. */
  cookie: string | null;
  address: string;
}

export interface CallerDeps extends Authenticator {
  deps: ManagementDeps;
  /** Records the last use of a key, both for management calls and for reads. */
  keyUse: Pick<KeyUseRecorder, 'record'>;
}

/**
 * Identifies the caller. Returns null if there are no credentials. A key in a header takes
 * precedence over a cookie, so a program with a key only ever acts as that key.
 */
export async function authenticateCaller(
  { deps, keyUse, ...authenticator }: CallerDeps,
  { headers, cookie, address }: Credentials,
): Promise<Caller | null | { refusal: Problem }> {
  if (hasApiKeyHeader(headers)) {
    const caller = authenticateKey({ ...authenticator, clock: deps.clock }, headers, address);
    if ('key' in caller) keyUse.record(caller.key.id, deps.clock.now());
    return caller;
  }
  if (cookie === null) return null;
  const session = await findSession(deps, cookie);
  return session === null ? null : { kind: 'person', ...session };
}

function authenticateKey(
  { keys, failedAuthLimiter, security, clock }: Authenticator & { clock: ManagementDeps['clock'] },
  headers: Credentials['headers'],
  address: string,
): Extract<Caller, { kind: 'key' }> | { refusal: Problem } {
  const presented = readApiKey(headers, []);
  if ('refusal' in presented) return presented;
  const key = keys.find(presented.text);
  const use = { now: clock.now(), address, scope: 'manage' } as const;
  const code = key === null ? 'invalid-api-key' : keyRefusal(key, use);
  if (key !== null && code === null) return { kind: 'key', key };
  if (key !== null) reportMisuse(security, key, code, address);
  if (code === null || code === 'invalid-api-key') {
    security?.record('wrong_key', address);
    return { refusal: rejectInvalidKey(failedAuthLimiter, use) };
  }
  if (code === 'customer-moved') return { refusal: customerMoved(key?.move ?? null) };
  if (code === 'customer-moving') return { refusal: customerMoving() };
  return { refusal: problem(code, 'The API key cannot be used for the management API.') };
}

/**
 * Returns the signed-in person for a call that requires `signed-in` access. Throws for any other
 * caller.
 */
export function signedInPerson({
  caller,
}: {
  caller: Caller | null;
}): Extract<Caller, { kind: 'person' }> {
  if (caller?.kind === 'person') return caller;
  throw new Error('a call for signed-in people was handled without a session');
}

/** Returns the caller's customer, or null for operators. */
export function customerOf(caller: Caller): string | null {
  return caller.kind === 'key' ? caller.key.customerId : caller.person.customerId;
}

export function isOperator(caller: Caller | null): boolean {
  return caller?.kind === 'person' && caller.person.role === 'operator';
}

/** Returns the caller in the form used for permission checks. */
export function principalOf(caller: Caller): Principal {
  if (caller.kind === 'key') return { kind: 'key', customerId: caller.key.customerId };
  const { role, customerId } = caller.person;
  return { kind: 'person', role, customerId, passwordAt: caller.session.passwordAt };
}

/** Returns the caller in the form recorded in the audit log. */
export function actorOfCaller(caller: Caller | null, address: string): Actor {
  if (caller === null) return { kind: 'system', id: null, label: 'not signed in', address };
  if (caller.kind === 'person') return personActor(caller.person, { address });
  const { id, prefix, last4 } = caller.key;
  return { kind: 'key', id, label: `${prefix}…${last4}`, address };
}
