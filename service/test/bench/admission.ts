import type { ApiKey } from '../../src/accounts/keys/api-key.ts';
import { hashKey, generateKey } from '../../src/accounts/keys/key-format.ts';
import { type ApiKeyCache, fixedApiKeyCache } from '../../src/accounts/keys/api-key-cache.ts';
import type { ReadLimits } from '../../src/domain/plan.ts';
import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import type { QuotaMeter } from '../../src/metering/quota-meter.ts';
import { startSharedMeter } from '../../src/metering/shared-quota-meter.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../support/logs.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { postgresStore } from '../support/stores.ts';
import { embeddedStore } from './embedded-store.ts';
import type { Bench } from './bench.ts';

const MICROS_MAX = 10;
const ROUNDS = 5;
const KEYS = 1_000;
const IN_FLIGHT = 256;
/** A limit that the bench never reaches. */
const MANY = 100_000_000;

const clock = systemClock();
const log = silentLog;
const noStore = { query: () => Promise.resolve([]) };

/**
 * Measures the cost of admitting a request: finding its key, checking the minute, day and month
 * windows, counting it, and writing the headers. The bench first measures this in process: a cached
 * key, a key that must be hashed, and a customer over the limit. It then measures durable counts in
 * the embedded store and decisions by PostgreSQL, without and with leased blocks, all with many requests in flight. The reported
 * figures are medians over the rounds. The PostgreSQL test server runs without fsync.
 */
export const bench: Bench = {
  name: 'admission',
  target: `≤ ${MICROS_MAX} µs in process with a cached key`,
  async run() {
    const keys = Array.from({ length: KEYS }, (_, index) =>
      generateKey('test', seededRandom(index)),
    );
    const warm = fixedApiKeyCache(keys.map((text, index) => apiKey(text, index, planOf(MANY))));
    const over = fixedApiKeyCache(keys.map((text, index) => apiKey(text, index, planOf(1))));
    const meter = await startLocalMeter({ db: noStore, clock, log });
    const figures: Record<string, string | number> = {};

    const cachedKeyMicros = await median(() =>
      microsOf(200_000, (at) => admit(warm, meter, keys, at)),
    );
    figures['microsKnownKey'] = cachedKeyMicros.toFixed(2);
    const hashed = await median(() => {
      const cold = fixedApiKeyCache(keys.map((text, index) => apiKey(text, index, planOf(MANY))));
      return microsOf(KEYS, (at) => admit(cold, meter, keys, at));
    });
    figures['microsHashedKey'] = hashed.toFixed(2);
    const refused = await median(() => microsOf(200_000, (at) => admit(over, meter, keys, at)));
    figures['refusedPerSecond'] = Math.round(1_000_000 / refused);

    const embedded = await embeddedStore();
    const durable = await startLocalMeter({ db: embedded, clock, log });
    figures['durablePerSecond'] = Math.round(await median(() => perSecond([durable], 10_000)));
    await durable.stop();
    await embedded.close();

    const server = await postgresStore();
    if ('db' in server) {
      const { db } = server;
      const shared = await Promise.all([0, 1].map(() => startSharedMeter({ db, clock, log })));
      const oneNodeRate = await median(() => perSecond(shared.slice(0, 1), 3_000));
      figures['sharedPerSecondOneNode'] = Math.round(oneNodeRate);
      figures['sharedPerSecondTwoNodes'] = Math.round(await median(() => perSecond(shared, 3_000)));
      const deps = { db, clock, log, blockPercent: 6 };
      const leasing = await Promise.all([0, 1].map(() => startSharedMeter(deps)));
      const blocksRate = await median(() => perSecond(leasing, 20_000));
      figures['blocksPerSecondTwoNodes'] = Math.round(blocksRate);
      await Promise.all(leasing.map((meter) => meter.stop()));
      await db.close();
    }
    return { passed: cachedKeyMicros <= MICROS_MAX, figures };
  },
};

function admit(
  keyCache: ApiKeyCache,
  meter: QuotaMeter,
  keys: readonly string[],
  at: number,
): void {
  const key = keyCache.find(keys[at % keys.length] ?? '');
  if (key === null) throw new Error('unknown key');
  // A request with cost `minute` is decided synchronously. All three windows are still checked and
  // reported.
  const { customerId, plan } = key;
  void meter.consume({ customerId, plan, cost: 'minute', now: clock.now() });
}

function microsOf(count: number, run: (at: number) => void): number {
  const startedMs = clock.monotonicMs();
  for (let at = 0; at < count; at += 1) run(at);
  return ((clock.monotonicMs() - startedMs) * 1_000) / count;
}

async function perSecond(meters: readonly QuotaMeter[], count: number): Promise<number> {
  const plan = planOf(MANY);
  let next = 0;
  async function consumeNext(meter: QuotaMeter | undefined): Promise<void> {
    while (meter !== undefined && next < count) {
      next += 1;
      const customerId = `customer-${next % KEYS}`;
      const { kind } = await meter.consume({ customerId, plan, cost: 'all', now: clock.now() });
      if (kind !== 'admitted') throw new Error(`a request was ${kind}`);
    }
  }
  const startedMs = clock.monotonicMs();
  const callers = Array.from({ length: IN_FLIGHT }, (_, index) => meters[index % meters.length]);
  await Promise.all(callers.map(consumeNext));
  return (count * 1_000) / (clock.monotonicMs() - startedMs);
}

async function median(measure: () => number | Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await measure());
  return values.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

function planOf(perMinute: number): ReadLimits {
  return { name: 'bench', perMinute, perDay: MANY, perMonth: MANY, historyMonths: null };
}

function apiKey(text: string, index: number, plan: ReadLimits): ApiKey {
  return {
    id: `key-${index}`,
    customerId: `${plan.perMinute}-${index}`,
    customerName: '',
    plan,
    name: '',
    scopes: ['read'],
    allowedCidrs: null,
    hash: hashKey(text),
    prefix: '',
    last4: '',
    createdAt: 0,
    expiresAt: null,
    disabledAt: null,
    revokedAt: null,
    suspendedAt: null,
    move: null,
  };
}
