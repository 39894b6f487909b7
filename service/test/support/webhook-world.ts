import { changeOf } from '../../src/datasets/changes/change-of.ts';
import { writeChanges } from '../../src/datasets/changes/store.ts';
import { changedFields, earningsChangeSource } from '../../src/datasets/earnings/changes.ts';
import type { EarningsEvent } from '../../src/datasets/earnings/row.ts';
import { earningsVersions, loadEarningsOfSecurities } from '../../src/datasets/earnings/store.ts';
import { replaceVersions } from '../../src/datasets/versions/versioned-table.ts';
import { COMMAND_LINE } from '../../src/accounts/audit-log.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import { putWatchlist } from '../../src/watchlists/watchlist-actions.ts';
import { NO_DEV_ALLOW } from '../../src/webhooks/address/dev-allow.ts';
import {
  subscribe as subscribeAction,
  unsubscribe,
} from '../../src/webhooks/subscription/subscription-actions.ts';
import { IN_FLIGHT } from '../../src/webhooks/queue/in-flight.ts';
import { addSubscriptions } from '../../src/webhooks/subscription/subscription-store.ts';
import type { WebhookDeps } from '../../src/webhooks/webhook-deps.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import type { Instant } from '../../src/platform/instant.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';
import { claimDue } from '../../src/delivery/claim/claim.ts';
import type { ClaimedDelivery } from '../../src/delivery/claim/claimed-delivery.ts';
import type { PostOutcome } from '../../src/delivery/send/agent.ts';
import type { EngineDeps } from '../../src/delivery/engine.ts';
import { fanOut } from '../../src/delivery/fan-out/fan-out.ts';
import { readChanges } from '../../src/delivery/fan-out/read-changes.ts';
import { recordAttempts } from '../../src/delivery/record/record.ts';
import { loadSourceData } from '../../src/delivery/source-data.ts';
import { template as earningsSchedule } from '../../src/webhooks/templates/earnings-schedule.ts';
import { eventOf, securityOf, storeRows } from './stored-earnings.ts';

/** Returns the engine's dependencies for tests. */
export function engineDeps(db: Db, clock: Clock, seed = 1): EngineDeps {
  return { db, clock, random: seededRandom(seed), templates: [earningsSchedule] };
}

/** Adds a customer with this id. */
export async function addCustomer(db: Db, id: string): Promise<void> {
  await db.query(
    `insert into customer (id, name, plan, created_at) values ($1, $1, 'pro', now())
     on conflict do nothing`,
    [id],
  );
}

/** Adds an endpoint for a customer. By default, the endpoint is not marked as slow. */
export async function addEndpoint(
  db: Db,
  id: string,
  { customerId = `cus_${id}`, isSlow = false, url = `https://${id}.example/hook` } = {},
): Promise<void> {
  await addCustomer(db, customerId);
  await db.query(
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at, is_slow)
     values ($1, $2, $3, now(), now(), $4)`,
    [id, customerId, url, isSlow],
  );
}

/** Adds companies with one scheduled report each, observed long ago. */
export async function addCompanies(db: Db, symbols: readonly string[]): Promise<void> {
  await storeRows(db, {
    securities: symbols.map((symbol) => securityOf(symbol)),
    events: symbols.map((symbol) => eventOf(symbol, { id: `ern_${symbol}` })),
  });
}

/** Adds an endpoint `ep` that is subscribed to these companies and up to date, on a fake clock. */
export async function subscribedWorld(
  db: Db,
  { now, symbols = ['NRTH'] }: { now: Instant; symbols?: readonly string[] },
): Promise<{ deps: EngineDeps; clock: FakeClock }> {
  const clock = fakeClock(now);
  const deps = engineDeps(db, clock);
  await addEndpoint(db, 'ep');
  await addCompanies(db, symbols);
  await subscribe(deps, 'ep', symbols);
  await fanOutAll(deps);
  return { deps, clock };
}

/** Subscribes with the current data, as the service does. */
export async function subscribe(
  deps: EngineDeps,
  endpointId: string,
  symbols: readonly string[],
): Promise<void> {
  const { db, clock } = deps;
  await db.transaction(async (tx) => {
    const subjects = symbols.map((symbol) => ({ template: earningsSchedule, symbol }));
    const dataOf = await loadSourceData(tx, subjects, clock.now());
    const subscriptions = subjects.map((subject) => ({
      templateId: subject.template.templateId,
      symbol: subject.symbol,
      data: dataOf(subject),
    }));
    await addSubscriptions(tx, endpointId, subscriptions, { now: clock.now() });
  });
}

/**
 * Changes a company's report as a merge would, with its change record. `null` removes the report.
 */
export async function publish(
  { db, clock }: { db: Db; clock: Clock },
  symbol: string,
  change: Partial<EarningsEvent> | null,
  observedAt: Instant = clock.now(),
): Promise<void> {
  await db.transaction(async (tx) => {
    const previous = await loadEarningsOfSecurities(tx, [`sec_${symbol}`]);
    const [current = eventOf(symbol, { id: `ern_${symbol}` })] = previous;
    const after = change === null ? [] : [{ ...current, ...change, updatedAt: observedAt }];
    const parts = { before: previous, after, changed: changedFields };
    const differences = await replaceVersions(earningsVersions, tx, parts, clock.now());
    const changes = differences.flatMap((difference) => changeOf(difference, earningsChangeSource));
    await writeChanges(tx, changes, new Set(), clock.now());
  });
}

/** Turns all changes into deliveries. */
export async function fanOutAll(deps: EngineDeps): Promise<void> {
  while ((await readChanges(deps)).count > 0) continue;
  while (await fanOut(deps)) continue;
}

/** Claims all due deliveries, with this number of slots per claim. */
export async function claimAll(
  deps: EngineDeps,
  slots = 64,
  after = '',
): Promise<ClaimedDelivery[]> {
  const claims: ClaimedDelivery[] = [];
  for (;;) {
    const free = { total: slots, free: slots, slowInFlight: 0, inFlightByCustomer: new Map() };
    const { deliveries: claimed, hasMore: isBusy } = await claimDue(deps, free, after);
    claims.push(...claimed);
    if (!isBusy) return claims;
  }
}

/**
 * Fans out all changes and sends until nothing is due. Returns the bodies in the order in which
 * they were sent.
 */
export async function deliverAll(
  deps: EngineDeps,
  receive: (claimed: ClaimedDelivery) => PostOutcome = () => respondWith(200),
): Promise<SentBody[]> {
  const bodies: SentBody[] = [];
  for (;;) {
    await fanOutAll(deps);
    const claims = await claimAll(deps);
    if (claims.length === 0) return bodies;
    await recordOutcomes(deps, claims, (claimed) => {
      bodies.push(JSON.parse(claimed.body) as SentBody);
      return receive(claimed);
    });
  }
}

export async function recordOutcomes(
  deps: EngineDeps,
  claims: readonly ClaimedDelivery[],
  receive: (claimed: ClaimedDelivery) => PostOutcome,
): Promise<void> {
  const at = deps.clock.now();
  await recordAttempts(
    deps,
    claims.map((delivery) => ({
      delivery,
      outcome: receive(delivery),
      requestHeaders: [],
      at,
    })),
  );
}

export interface SentBody {
  id: string;
  template_id: string;
  context: { symbol: string };
  data: Record<string, string | number | null>;
  changed_fields: string[];
}

/** All values differ, so that swapped columns make a test fail. */
const TIMINGS = { dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 4, totalMs: 9 };

export function respondWith(status: number, headers: [string, string][] = []): PostOutcome {
  return {
    kind: 'responded',
    status,
    headers,
    body: '',
    truncated: false,
    remoteAddress: '203.0.113.7',
    timings: TIMINGS,
  };
}

export function failWith(
  code: Extract<PostOutcome, { kind: 'failed' }>['code'],
  maybeSent: boolean,
): PostOutcome {
  return {
    kind: 'failed',
    code,
    detail: code,
    remoteAddress: null,
    timings: TIMINGS,
    maybeSent,
  };
}

export interface DeliveryRow {
  id: string;
  state: string;
  symbol: string;
  attempt_count: number;
  unknown_count: number;
  last_error_code: string | null;
  superseded_by: string | null;
  changed_fields: string[];
  due_at: Instant;
  [column: string]: unknown;
}

/** Loads all deliveries in order of creation. Those in flight are `in_progress`. */
export function deliveryRows(db: Db): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    `select d.*, case when f.n is null then d.state else 'in_progress' end as state
       from delivery d left join ${IN_FLIGHT} f on f.delivery_id = d.id
      order by d.created_at, (d.superseded_by is null), d.id`,
  );
}

/** Returns the dependencies of management actions on the engine's store and clock. */
export function managementOf({ db, clock, random, templates }: EngineDeps): WebhookDeps {
  return {
    db,
    clock,
    random,
    cipher: createSecretCipher([random.bytes(32)], random),
    webhooks: {
      templates,
      urlRules: { ports: [443], devAllow: NO_DEV_ALLOW },
      async loadSourceData(store, keys, now) {
        const subjects = keys.map(({ symbol }) => ({ template: earningsSchedule, symbol }));
        const dataOf = await loadSourceData(store, subjects, now);
        return ({ symbol }) => dataOf({ template: earningsSchedule, symbol });
      },
      wake: () => undefined,
    },
  };
}

/** Subscribes an endpoint of `addEndpoint` to symbols and company sets, as a person does. */
export async function subscribeTo(
  deps: EngineDeps,
  endpointId: string,
  symbols: readonly string[],
): Promise<void> {
  const target = { ...targetOf(endpointId), symbols };
  const outcome = await subscribeAction(managementOf(deps), target, COMMAND_LINE);
  if (outcome.kind !== 'subscribed') throw new Error(JSON.stringify(outcome));
}

export async function unsubscribeFrom(
  deps: EngineDeps,
  endpointId: string,
  symbols: readonly string[],
): Promise<void> {
  const target = { ...targetOf(endpointId), symbols };
  const outcome = await unsubscribe(managementOf(deps), target, COMMAND_LINE);
  if (outcome.kind !== 'unsubscribed') throw new Error(JSON.stringify(outcome));
}

/** Saves a watchlist of the customer of an endpoint. */
export async function saveWatchlist(
  deps: EngineDeps,
  endpointId: string,
  list: { name: string; symbols: readonly string[] },
): Promise<void> {
  const { customerId } = targetOf(endpointId);
  const outcome = await putWatchlist(managementOf(deps), { customerId, ...list }, COMMAND_LINE);
  if (outcome.kind !== 'saved') throw new Error(JSON.stringify(outcome));
}

function targetOf(endpointId: string) {
  const { templateId } = earningsSchedule;
  return { customerId: `cus_${endpointId}`, endpointId, templateId };
}
