import { authorise, type Decision, isFresh } from '../../accounts/permissions.ts';
import { findCustomer } from '../../accounts/customers/customer-store.ts';
import { addressBlock } from '../../metering/address-block.ts';
import type { MinuteLimit } from '../../metering/sliding-window-limiter.ts';
import { problem, type Problem } from '../problems.ts';
import { hasApiKeyHeader } from '../request/api-key.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import { actorOfCaller, type Caller, authenticateCaller, principalOf } from './caller.ts';
import type { ManagementDeps } from './deps.ts';
import { validateRequest } from './validate-request.ts';
import { rejectTooMany } from './refusals.ts';
import { isSameOrigin } from './same-origin.ts';
import { isStorable, findUnstorableText } from './storable-text.ts';
import { isCustomerRoute, type CallResult, type Route } from './route.ts';
import type { ManagementOptions } from './options.ts';

/** A request as the framework hands it over. */
export interface RawCall {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  cookie: string | null;
  address: string;
}

/** What one caller may do at a time, and in a minute. */
export interface CallLimits {
  /** By address: calls of which nobody knows yet who makes them, and those of nobody. */
  arrivals: ConcurrencyLimit;
  calls: ConcurrencyLimit;
  /** By customer, however many callers it has: a hundred keys are no more than four. */
  accounts: ConcurrencyLimit;
  writes: MinuteLimit;
}

/**
 * The order of checks: who calls, whether the page is ours, whether they may, how often they did,
 * then what they sent. Who may not learns nothing about what a call would take.
 */
export async function handleCall(
  route: Route,
  options: Pick<ManagementOptions, 'deps' | 'keys' | 'keyUse' | 'strangers'> & CallLimits,
  raw: RawCall,
): Promise<CallResult> {
  if ('apikey' in raw.query) return { kind: 'refused', problem: KEY_IN_ADDRESS };
  // Keys are in memory; a session, and what anyone may ask, are the store's, which others wait for.
  const arrived = hasApiKeyHeader(raw.headers)
    ? () => undefined
    : options.arrivals.acquire(addressBlock(raw.address));
  if (arrived === null) return { kind: 'refused', problem: TOO_MANY_FROM_ADDRESS };
  let caller: Caller;
  try {
    const found = await authenticateCaller(options, raw);
    if (found === null) return await answerTo(null, route, options, raw);
    if ('refusal' in found) return { kind: 'refused', problem: found.refusal };
    caller = found;
  } finally {
    arrived();
  }
  const leave = enter(caller, options);
  if (leave === null) return { kind: 'refused', problem: TOO_MANY_AT_ONCE };
  try {
    return await answerTo(caller, route, options, raw);
  } finally {
    leave();
  }
}

async function answerTo(
  caller: Caller | null,
  route: Route,
  { deps, writes }: { deps: ManagementDeps } & CallLimits,
  raw: RawCall,
): Promise<CallResult> {
  const byBrowser = caller?.kind !== 'key';
  if (route.method !== 'GET' && byBrowser && !isSameOrigin(raw.headers, deps.configuredUrl)) {
    return { kind: 'refused', problem: FOREIGN_PAGE };
  }
  const now = deps.clock.now();
  const { customerId, query } = splitCustomer(route, caller, raw.query);
  const refusal = rightTo(route, caller, { customerId, now });
  if (refusal !== null) return { kind: 'refused', problem: refusal };
  // Calls for anyone have limits of their own, and signing out has none.
  if (caller !== null && route.method !== 'GET' && route.access !== 'anyone') {
    const retryAfterSeconds = writes.take(idOf(caller));
    if (retryAfterSeconds > 0) return rejectTooMany({ retryAfterSeconds });
  }
  if (!Object.values(raw.params).every(isStorable)) {
    return { kind: 'refused', problem: REFUSALS['not-found'] };
  }
  const unsound = findUnstorableText(raw);
  if (unsound !== null) return { kind: 'refused', problem: unsound };
  if (customerId !== null && (await findCustomer(deps.db, customerId)) === null) {
    return { kind: 'refused', problem: REFUSALS['not-found'] };
  }
  const form = validateRequest(route, { query, body: raw.body });
  if ('refusal' in form) return { kind: 'refused', problem: form.refusal };
  const userAgent = raw.headers['user-agent'];
  return route.handle({
    deps,
    caller,
    customerId: customerId ?? '',
    actor: actorOfCaller(caller, raw.address),
    visitor: { address: raw.address, userAgent: typeof userAgent === 'string' ? userAgent : null },
    now,
    param: (name) => raw.params[name] ?? '',
    query: form.query,
    body: form.body,
  });
}

/** Among what its caller has under way, and their customer; null when either is full. */
function enter(caller: Caller, { calls, accounts }: CallLimits): (() => void) | null {
  const leave = calls.acquire(idOf(caller));
  const customerId = customerOf(caller);
  if (leave === null || customerId === null) return leave;
  const leaveAccount = accounts.acquire(customerId);
  if (leaveAccount === null) {
    leave();
    return null;
  }
  return () => {
    leaveAccount();
    leave();
  };
}

/** Null of operators. */
function customerOf(caller: Caller): string | null {
  return caller.kind === 'key' ? caller.key.customerId : caller.person.customerId;
}

function idOf(caller: Caller): string {
  return caller.kind === 'key' ? caller.key.id : caller.person.id;
}

/** Everyone acts on their own customer; operators name one, as there are many. */
function splitCustomer(
  route: Route,
  caller: Caller | null,
  query: RawCall['query'],
): { customerId: string | null; query: RawCall['query'] } {
  if (caller === null || !isCustomerRoute(route)) return { customerId: null, query };
  const { customerId: asked, ...rest } = query;
  if (asked === undefined) return { customerId: customerOf(caller), query: rest };
  return { customerId: typeof asked === 'string' ? asked : '', query: rest };
}

function rightTo(
  route: Route,
  caller: Caller | null,
  on: { customerId: string | null; now: number },
): Problem | null {
  if (route.access === 'anyone') return null;
  if (caller === null) return NOT_SIGNED_IN;
  if (route.access === 'signed-in') {
    return caller.kind === 'key' ? REFUSALS.forbidden : staleness(route, caller, on.now);
  }
  if (caller.kind === 'person' && caller.person.role === 'operator') {
    if (isCustomerRoute(route) && on.customerId === null) {
      if (route.withoutCustomer === undefined) return NAME_CUSTOMER;
      const decision = authorise(principalOf(caller), route.withoutCustomer, on);
      return decision === 'allowed' ? staleness(route, caller, on.now) : REFUSALS[decision];
    }
  }
  const decision = authorise(principalOf(caller), route.access, on);
  return decision === 'allowed' ? staleness(route, caller, on.now) : REFUSALS[decision];
}

function staleness(route: Route, caller: Caller, now: number): Problem | null {
  if (route.needsRecentPassword !== true || caller.kind === 'key') return null;
  return isFresh(caller.session.passwordAt, now) ? null : REFUSALS['fresh-password-required'];
}

const REFUSALS: Readonly<Record<Exclude<Decision, 'allowed'>, Problem>> = {
  'not-found': problem('not-found', 'There is no such thing here.'),
  forbidden: problem('forbidden', 'Your role does not allow this.'),
  'fresh-password-required': problem(
    'fresh-password-required',
    'Give your password again, then repeat the call.',
  ),
};
const NOT_SIGNED_IN = problem(
  'not-signed-in',
  'Sign in, or send a key with the scope `manage` in a header.',
);
const TOO_MANY_AT_ONCE = problem(
  'temporary-reduced-capacity',
  'Too many of your calls are under way; send them one behind the other.',
  { headers: ['Retry-After', '1'] },
);
const TOO_MANY_FROM_ADDRESS = problem(
  'temporary-reduced-capacity',
  'Too many calls from your address are under way; come again in a moment.',
  { headers: ['Retry-After', '1'] },
);
const FOREIGN_PAGE = problem('forbidden', 'Changes are taken from pages of this service alone.');
const KEY_IN_ADDRESS = problem(
  'invalid-parameter',
  'A management key goes into a header: addresses end up in logs.',
  { members: { parameter: 'apikey' } },
);
const NAME_CUSTOMER = problem('missing-parameter', 'An operator names the customer it is about.', {
  members: { parameter: 'customerId' },
});
