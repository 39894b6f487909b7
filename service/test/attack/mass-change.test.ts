import { expect, test } from 'vitest';
import { TUNING } from '../../src/delivery/tuning.ts';
import { fakeClock, type FakeClock } from '../support/fake-clock.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/storage/db.ts';
import { claimDue } from '../../src/delivery/claim/claim.ts';
import { DueEndpointCache } from '../../src/delivery/claim/due-endpoints.ts';
import type { EngineDeps } from '../../src/delivery/engine.ts';
import { fanOut } from '../../src/delivery/fan-out/fan-out.ts';
import { readChanges } from '../../src/delivery/fan-out/read-changes.ts';
import { runSize } from '../support/run-size.ts';
import { memoryStore, postgresStore } from '../support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  engineDeps,
  recordOutcomes,
  publish,
  subscribe,
  fanOutAll,
} from '../support/webhook-world.ts';

// All companies change together, and all customers watch all of them. The test runs the engine's
// steps itself, so it can check order and counts on any machine.

const NOW = Date.parse('2026-11-16T15:00:00Z');
const CUSTOMERS = runSize({ slice: 24, whole: 400 });
const SYMBOLS = runSize({ slice: 12, whole: 300 });
const SLOTS = runSize({ slice: 32, whole: 512 });
/** Maximum number of endpoints per claim. */
const ENDPOINTS_PER_CLAIM = Math.min(SLOTS, 128);
const LONE = ['LONEA', 'LONEB', 'LONEC'];

/**
 * Steps until another customer's event is sent: reading the change, fanning it out, and waiting for
 * its turn.
 */
const STEPS_MAX = 2 + Math.ceil((CUSTOMERS + 1) / ENDPOINTS_PER_CLAIM) + 1;

test('delivers a mass change fairly, without making other customers wait until it is finished', async () => {
  const db = await openStore();
  const clock = fakeClock(NOW);
  const deps = { ...engineDeps(db, clock), clock };
  const symbols = symbolsOf(SYMBOLS);
  await fillWorld(deps, { symbols, customers: CUSTOMERS });
  await changeAll(deps, symbols);

  const real = systemClock();
  const sentTo = new Map<string, number>();
  const waits: { steps: number; mass: number; ms: number }[] = [];
  let massSent = 0;
  let lone: { symbol: string; step: number; mass: number; atMs: number } | null = null;
  let isLoneDue = true;
  let spread = 0;
  const dueEndpoints = new DueEndpointCache(clock);
  let after = '';
  for (let step = 0, isBusy = true; isBusy; step += 1) {
    await clock.advance(1);
    if (lone === null && isLoneDue) {
      const symbol = LONE[waits.length % LONE.length] ?? '';
      lone = { symbol, step, mass: massSent, atMs: real.monotonicMs() };
      await publish(deps, symbol, { epsEstimate: String(step) });
    }
    const { count: readCount } = await readChanges(deps);
    const hasFannedOut = await fanOut(deps);
    if (hasFannedOut) dueEndpoints.clear();
    const free = { total: SLOTS, free: SLOTS, slowInFlight: 0, inFlightByCustomer: new Map() };
    const result = await claimDue({ ...deps, dueEndpoints }, free, after);
    after = result.cursor;
    await recordOutcomes(deps, result.deliveries, () => respondWith(204));
    for (const { endpointId, symbol } of result.deliveries) {
      sentTo.set(endpointId, (sentTo.get(endpointId) ?? 0) + 1);
      if (endpointId !== 'other') massSent += 1;
      else if (symbol === lone?.symbol) {
        const ms = real.monotonicMs() - lone.atMs;
        waits.push({ steps: step - lone.step + 1, mass: massSent - lone.mass, ms });
        lone = null;
      }
    }
    // An event that began after the mass change was drained would prove nothing.
    isLoneDue = massSent < CUSTOMERS * SYMBOLS * 0.9;
    if (!hasFannedOut && result.hasMore && massSent < CUSTOMERS * SYMBOLS) {
      spread = Math.max(spread, spreadOf(sentTo));
    }
    isBusy = readCount > 0 || hasFannedOut || result.hasMore;
  }

  const most = Math.max(...waits.map(({ steps }) => steps));
  const ms = waits.map((wait) => wait.ms).toSorted((a, b) => a - b);
  console.info(
    `mass change: ${SYMBOLS} companies x ${CUSTOMERS} customers, ${massSent} posts; ` +
      `${waits.length} events of another customer waited at most ${most} steps, ` +
      `p50/p99 ${at(ms, 0.5)}/${at(ms, 0.99)} ms; spread ${spread}`,
  );
  expect(waits.length).toBeGreaterThan(5);
  expect(most).toBeLessThanOrEqual(STEPS_MAX);
  expect(Math.max(...waits.map(({ mass }) => mass))).toBeLessThanOrEqual(STEPS_MAX * SLOTS);
  expect(spread).toBeLessThanOrEqual(2 * TUNING.inFlightPerEndpoint);
  sentTo.delete('other');
  expect([...sentTo.values()]).toEqual(Array.from({ length: CUSTOMERS }, () => SYMBOLS));
  expect(await statesOf(db)).toEqual({ delivered: CUSTOMERS * SYMBOLS + waits.length });
  await db.close();
}, 14_400_000);

test('fans out a new change promptly despite a long queue of other changes', async () => {
  const db = await memoryStore();
  const clock = fakeClock(NOW);
  const deps = { ...engineDeps(db, clock), clock };
  const symbols = symbolsOf(12);
  await fillWorld(deps, { symbols, customers: 250 });
  await changeAll(deps, symbols);
  while ((await readChanges(deps)).count > 0) continue;
  await fanOut(deps);
  // These changes are last in the queue: two that only the endpoint `other` subscribes to, then two
  // of the mass change.
  for (const symbol of ['LONEA', 'LONEB', 'M0', 'M1']) {
    await clock.advance(1);
    await publish(deps, symbol, { epsEstimate: '8.8' });
    await readChanges(deps);
  }
  await fanOut(deps);
  const rows = await db.query<{ symbol: string }>(
    `select symbol from delivery where endpoint_id = 'other' order by symbol`,
  );
  expect(rows.map(({ symbol }) => symbol)).toEqual(['LONEA', 'LONEB']);
  // The oldest changes must have progressed too, and in the end every subscriber must be served.
  while (await fanOut(deps)) continue;
  expect(await statesOf(db)).toEqual({ pending: 12 * 250 + 2 });
  await db.close();
});

/** Changes the symbols one after another, one millisecond apart. */
async function changeAll(
  deps: EngineDeps & { clock: FakeClock },
  symbols: readonly string[],
): Promise<void> {
  for (const symbol of symbols) {
    await deps.clock.advance(1);
    await publish(deps, symbol, { epsEstimate: '9.9' });
  }
}

function symbolsOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `M${n}`);
}

/** Opens PostgreSQL, if available, for the large run. */
async function openStore(): Promise<Db> {
  if (runSize({ slice: 0, whole: 1 }) === 0) return memoryStore();
  const server = await postgresStore();
  return 'missing' in server ? memoryStore() : server.db;
}

async function fillWorld(
  deps: EngineDeps,
  { symbols, customers }: { symbols: readonly string[]; customers: number },
): Promise<void> {
  const { db } = deps;
  await addCompanies(db, [...symbols, ...LONE]);
  await addEndpoint(db, 'other');
  await subscribe(deps, 'other', LONE);
  await addEndpoint(db, idOf(0));
  await subscribe(deps, idOf(0), symbols);
  // The other customers get copies of the first customer's subscriptions. Inserting in batches
  // keeps each statement within its timeout.
  for (let from = 1; from < customers; from += 100) {
    const ids = Array.from({ length: Math.min(100, customers - from) }, (_, n) => idOf(from + n));
    await db.query(
      `insert into customer (id, name, plan, created_at)
       select 'cus_' || id, id, 'pro', now() from unnest($1::text[]) as e(id)`,
      [ids],
    );
    await db.query(
      `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at, is_slow)
       select id, 'cus_' || id, 'https://a.example/', now(), now(), false
         from unnest($1::text[]) as e(id)`,
      [ids],
    );
    await db.query(
      `insert into webhook_subscription
         (template_id, symbol, endpoint_id, created_at, answered_data, answered_at)
       select s.template_id, s.symbol, e.id, s.created_at, s.answered_data, s.answered_at
         from webhook_subscription s cross join unnest($1::text[]) as e(id)
        where s.endpoint_id = $2`,
      [ids, idOf(0)],
    );
  }
  await fanOutAll(deps);
}

function idOf(n: number): string {
  return `ep${String(n).padStart(4, '0')}`;
}

/**
 * Returns the difference in deliveries between the endpoint with the most and the unfinished
 * endpoint with the fewest.
 */
function spreadOf(sentTo: ReadonlyMap<string, number>): number {
  const counts = Array.from({ length: CUSTOMERS }, (_, n) => sentTo.get(idOf(n)) ?? 0);
  const waiting = counts.filter((count) => count < SYMBOLS);
  return Math.max(...counts) - Math.min(...waiting);
}

function at(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

async function statesOf(db: Db): Promise<Record<string, number>> {
  const rows = await db.query<{ state: string; count: number }>(
    `select state, count(*)::float8 as count from delivery group by state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
