import type { FastifyRequest } from 'fastify';
import {
  authorize,
  isFresh,
  mustAddSecondFactor,
  type SecondFactorRule,
} from '../../accounts/permissions.ts';
import { checkActionRate } from '../../accounts/action-rate.ts';
import type { Actor } from '../../accounts/audit-log.ts';
import { endSession } from '../../accounts/sessions/sessions.ts';
import { findCustomer } from '../../accounts/customers/customer-store.ts';
import type { IdempotentCall } from '../../accounts/idempotent-calls.ts';
import type { SlidingWindowLimiter } from '../../metering/sliding-window-limiter.ts';
import { QueueFullError } from '../../platform/bounded-queue.ts';
import { WorkCancelledError } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log.ts';
import { networkAddress } from '../../platform/network-address.ts';
import { problem, type Problem } from '../problems.ts';
import { hasApiKeyHeader } from '../request/api-key.ts';
import { storeByStatement, storeInTurn } from '../in-turn.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import {
  actorOfCaller,
  authenticateCaller,
  type Caller,
  type CallerDeps,
  type Credentials,
  customerOf,
  isOperator,
  principalOf,
} from './caller.ts';
import { DENIALS } from './denials.ts';
import type { ManagementDeps } from './deps.ts';
import { CROSS_ORIGIN, reportRefusal } from './report-refusal.ts';
import { runOnce } from './idempotency.ts';
import { rejectTooMany } from './refusals.ts';
import { type CallResult, isCustomerRoute, type Route } from './route.ts';
import { isSameOrigin } from './same-origin.ts';
import { findUnstorableText, isStorable } from './storable-text.ts';
import { validateRequest } from './validate-request.ts';

export interface ManagementOptions extends CallerDeps {
  routes: readonly Route[];
  log: Log;
  nextRequestId: () => string;
  /** Returns the client's IP address, resolved through trusted proxies. */
  addressOf(request: FastifyRequest): string;
}

/**
 * Maximum number of recorded changes per minute for each customer, across its keys, people and all
 * processes.
 */
const ACCOUNT_CHANGES_PER_MINUTE = 240;

/** A request as parsed by Fastify. */
export interface RawCall extends Credentials {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** Calls the listener once the client has gone or has its response. */
  whenClosed: (listener: () => void) => void;
}

/** Concurrency and rate limits for calls. */
export interface CallLimits {
  /** Limits concurrent calls from unidentified callers per address. */
  unidentified: ConcurrencyLimit;
  /** Limits concurrent calls per caller. */
  calls: ConcurrencyLimit;
  /** Limits concurrent calls per customer, across all its keys and people. */
  accounts: ConcurrencyLimit;
  /** Limits changes per caller. */
  writes: SlidingWindowLimiter;
}

/**
 * Checks the caller, the origin, the permission, the rate and the request, in this order. A caller
 * without permission learns nothing about the call's parameters.
 */
export async function handleCall(
  route: Route,
  options: CallerDeps & CallLimits,
  raw: RawCall,
): Promise<CallResult> {
  if ('apikey' in raw.query) return rejected(KEY_IN_URL);
  // Looking up a key only uses memory. Sessions and open calls query the store, which all callers
  // share.
  const release = hasApiKeyHeader(raw.headers)
    ? () => undefined
    : options.unidentified.acquire(networkAddress(raw.address));
  if (release === null) return rejected(TOO_MANY_FROM_ADDRESS);
  let caller: Caller;
  try {
    const authenticated = await authenticateCaller(options, raw);
    if (authenticated === null) return await handleAndReport(null, route, options, raw);
    if ('refusal' in authenticated) return rejected(authenticated.refusal);
    caller = authenticated;
  } finally {
    release();
  }
  const releaseCaller = acquireSlots(caller, options);
  if (releaseCaller === null) return rejected(TOO_MANY_CONCURRENT);
  try {
    return await handleAndReport(caller, route, options, raw);
  } finally {
    releaseCaller();
  }
}

async function handleAndReport(
  caller: Caller | null,
  route: Route,
  options: CallerDeps & CallLimits,
  raw: RawCall,
): Promise<CallResult> {
  const result = await handleAs(caller, route, options, raw).catch(refusalOf);
  const { params, query, address } = raw;
  const { deps, security } = options;
  reportRefusal({ db: deps.db, security }, { route, caller, params, query, address }, result);
  return result;
}

async function handleAs(
  caller: Caller | null,
  route: Route,
  { deps, writes }: { deps: ManagementDeps } & CallLimits,
  raw: RawCall,
): Promise<CallResult> {
  const isWrite = route.method !== 'GET';
  if (isWrite && caller?.kind !== 'key' && !isSameOrigin(raw.headers, deps.configuredUrl)) {
    return rejected(CROSS_ORIGIN);
  }
  const now = deps.clock.now();
  const { customerId, query } = splitCustomer(route, caller, raw.query);
  const denial = checkAccess(route, caller, { customerId, now }, deps.secondFactorRule);
  if (denial !== null) return rejected(denial);
  if (caller !== null && isWrite && route.access !== 'anyone') {
    const limited = await checkChangeRate(caller, customerId, { deps, writes });
    if (limited !== null) return limited;
  }
  if (!Object.values(raw.params).every(isStorable)) return rejected(DENIALS['not-found']);
  const unstorable = findUnstorableText(raw);
  if (unstorable !== null) return rejected(unstorable);
  if (customerId !== null && (await findCustomer(deps.db, customerId)) === null) {
    return rejected(DENIALS['not-found']);
  }
  const valid = validateRequest(route, { query, body: raw.body });
  if ('refusal' in valid) return rejected(valid.refusal);
  if (caller !== null && route.needsRecentPasswordFor?.(valid.body) === true) {
    const stale = requireRecentPassword(caller, now);
    if (stale !== null) return rejected(stale);
  }
  const userAgent = raw.headers['user-agent'];
  const actor = actorOfCaller(caller, raw.address);
  const run = (call?: IdempotentCall) =>
    handleInTurn({ route, caller, deps, raw }, (ownDeps) =>
      route.handle({
        deps: ownDeps,
        caller,
        customerId: customerId ?? '',
        actor: call === undefined ? actor : { ...actor, call },
        visitor: {
          address: raw.address,
          userAgent: typeof userAgent === 'string' ? userAgent : null,
        },
        now,
        whenClosed: raw.whenClosed,
        param: (name) => raw.params[name] ?? '',
        query: valid.query,
        body: valid.body,
      }),
    );
  const content = [customerId, raw.params, valid.query, valid.body];
  const repeatable = { route, callerId: caller === null ? '' : callerId(caller), content };
  const outcome = await runOnce(deps, { ...repeatable, headers: raw.headers }, run);
  return endReplacedSession(outcome, { deps, caller, route, actor });
}

function refusalOf(error: unknown): CallResult {
  if (error instanceof QueueFullError) return rejected(TOO_MANY_PASSWORDS);
  if (error instanceof WorkCancelledError) return rejected(CLIENT_GONE);
  throw error;
}

/** Key of the queue for all calls together that anyone may make. */
const OPEN_CALLS = 'open calls';

/**
 * Lets calls wait in the queue in which the read API computes, with shares of their own: each
 * statement of open calls, such as sign-ins, and each read of a customer. A flood of either then
 * delays others by one statement.
 */
function handleInTurn(
  call: { route: Route; caller: Caller | null; deps: ManagementDeps; raw: RawCall },
  handle: (deps: ManagementDeps) => Promise<CallResult>,
): Promise<CallResult> {
  const { route, caller, deps, raw } = call;
  const { db, queue } = deps;
  if (caller === null || route.access === 'anyone') {
    return handle({ ...deps, db: storeByStatement(db, queue, OPEN_CALLS) });
  }
  if (route.method !== 'GET' || route.queuesItself === true) return handle(deps);
  const task = queue.submit(`reads ${customerOf(caller) ?? callerId(caller)}`, (turn) =>
    handle({ ...deps, db: storeInTurn(db, turn) }),
  );
  raw.whenClosed(() => task.cancel());
  return task.result;
}

/**
 * Counts a change toward the limits of its caller and customer. Open calls have their own limits,
 * and signing out is not limited.
 */
async function checkChangeRate(
  caller: Caller,
  customerId: string | null,
  { deps, writes }: { deps: ManagementDeps } & Pick<CallLimits, 'writes'>,
): Promise<CallResult | null> {
  const retryAfterSeconds = writes.consume(callerId(caller));
  if (retryAfterSeconds > 0) return rejectTooMany({ retryAfterSeconds });
  if (customerId === null || isOperator(caller)) return null;
  const perMinute = ACCOUNT_CHANGES_PER_MINUTE;
  const limit = { customerId, prefix: '', perMinute, now: deps.clock.now() };
  const rateLimited = await checkActionRate(deps.db, limit);
  return rateLimited === null ? null : rejectTooMany(rateLimited);
}

/** Ends the session whose cookie the browser replaces by signing in again. */
async function endReplacedSession(
  result: CallResult,
  call: { deps: ManagementDeps; caller: Caller | null; route: Route; actor: Actor },
): Promise<CallResult> {
  const { deps, caller, route, actor } = call;
  const startsSession = 'cookie' in result && typeof result.cookie === 'object';
  if (startsSession && route.access === 'anyone' && caller?.kind === 'person') {
    const { id: personId, customerId } = caller.person;
    await endSession(deps, { personId, customerId, sessionId: caller.session.id }, actor);
  }
  return result;
}

/**
 * Reserves one of the caller's slots and one of its customer's slots. Returns null if either has no
 * slots left.
 */
function acquireSlots(caller: Caller, { calls, accounts }: CallLimits): (() => void) | null {
  const release = calls.acquire(callerId(caller));
  const customerId = customerOf(caller);
  if (release === null || customerId === null) return release;
  const releaseAccount = accounts.acquire(customerId);
  if (releaseAccount === null) {
    release();
    return null;
  }
  return () => {
    releaseAccount();
    release();
  };
}

function callerId(caller: Caller): string {
  return caller.kind === 'key' ? caller.key.id : caller.person.id;
}

/**
 * Separates the customer from the rest of the query. Customers' own callers default to their
 * customer; operators specify one in the query.
 */
function splitCustomer(
  route: Route,
  caller: Caller | null,
  query: RawCall['query'],
): { customerId: string | null; query: RawCall['query'] } {
  if (caller === null || !isCustomerRoute(route)) return { customerId: null, query };
  const { customerId, ...rest } = query;
  if (customerId === undefined) return { customerId: customerOf(caller), query: rest };
  return { customerId: typeof customerId === 'string' ? customerId : '', query: rest };
}

function checkAccess(
  route: Route,
  caller: Caller | null,
  target: { customerId: string | null; now: number },
  secondFactorRule: SecondFactorRule,
): Problem | null {
  if (route.access === 'anyone') return null;
  if (caller === null) return NOT_SIGNED_IN;
  if (route.access === 'signed-in') {
    return caller.kind === 'key' ? DENIALS.forbidden : checkPassword(route, caller, target.now);
  }
  const namesNone = isOperator(caller) && isCustomerRoute(route) && target.customerId === null;
  const permission = namesNone ? route.withoutCustomer : route.access;
  if (permission === undefined) return CUSTOMER_REQUIRED;
  const decision = authorize(principalOf(caller), permission, target);
  if (decision !== 'allowed') return DENIALS[decision];
  if (caller.kind === 'person' && mustAddSecondFactor(caller.person, secondFactorRule)) {
    return SECOND_FACTOR_REQUIRED;
  }
  return checkPassword(route, caller, target.now);
}

function checkPassword(route: Route, caller: Caller, now: number): Problem | null {
  return route.needsRecentPassword === true ? requireRecentPassword(caller, now) : null;
}

function requireRecentPassword(caller: Caller, now: number): Problem | null {
  if (caller.kind === 'key' || isFresh(caller.session.passwordAt, now)) return null;
  return DENIALS['fresh-password-required'];
}

function rejected(reason: Problem): CallResult {
  return { kind: 'rejected', problem: reason };
}

const SECOND_FACTOR_REQUIRED = problem(
  'second-factor-required',
  'Set up two-factor authentication, then repeat the call.',
);
const NOT_SIGNED_IN = problem(
  'not-signed-in',
  'Sign in, or send an API key with the scope `manage` in a header.',
);
const TOO_MANY_CONCURRENT = problem(
  'temporary-reduced-capacity',
  'Too many concurrent calls. Wait for earlier calls to finish.',
  { headers: ['Retry-After', '1'] },
);
const TOO_MANY_FROM_ADDRESS = problem(
  'temporary-reduced-capacity',
  'Too many concurrent calls from your IP address. Retry in a moment.',
  { headers: ['Retry-After', '1'] },
);
const CLIENT_GONE = problem('temporary-reduced-capacity', 'The client has disconnected.');
const TOO_MANY_PASSWORDS = problem(
  'temporary-reduced-capacity',
  'Too many passwords are being checked. Retry in a moment.',
  { headers: ['Retry-After', '2'] },
);
const KEY_IN_URL = problem(
  'invalid-parameter',
  'Send a management key in a header, not in the URL: URLs end up in logs.',
  { members: { parameter: 'apikey' } },
);
const CUSTOMER_REQUIRED = problem(
  'missing-parameter',
  'Operators must name the customer with `customerId`.',
  { members: { parameter: 'customerId' } },
);
