import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import type { ReadLimits } from '../../src/domain/plan.ts';
import type { MeterResult, RunningQuotaMeter } from '../../src/metering/quota-meter.ts';
import { loadUse } from '../../src/metering/quota-store.ts';
import { startSharedMeter } from '../../src/metering/shared-quota-meter.ts';
import type { Db, Queryable, Row, SqlValue } from '../../src/storage/db.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { silentLog } from './logs.ts';

export const NOON = Date.parse('2026-11-20T17:00:00Z');
export const LARGE: ReadLimits = {
  name: 'large',
  perMinute: 10_000,
  perDay: 1_000,
  perMonth: 10_000,
  historyMonths: null,
};
/** The fourth request leases eight units, and the tenth would renew them. */
export const REQUESTS = 9;
export const FREE: ReadLimits = {
  ...LARGE,
  name: 'free',
  perMinute: 60,
  perDay: 100,
  perMonth: 1_000,
};

/** A clock whose processes can be suspended: `skip` moves the time without firing timers. */
export type SkippingClock = FakeClock & { skip(ms: number): void };

export async function startNodes(db: Db, startAt = new Date(NOON).toISOString()) {
  let skippedMs = 0;
  const fake = fakeClock(Date.parse(startAt));
  const clock: SkippingClock = {
    ...fake,
    now: () => fake.now() + skippedMs,
    monotonicMs: () => fake.monotonicMs() + skippedMs,
    skip: (ms) => void (skippedMs += ms),
  };
  const renewals = new Renewals(db);
  const deps = { db, clock, log: silentLog, blockPercent: 6, isMinuteByClock: true };
  const first = await startSharedMeter({ ...deps, db: renewals });
  return { clock, first, second: await startSharedMeter(deps), renewals };
}

/** A connection of which the renewals can fail, or get their reply late. */
export class Renewals implements Queryable {
  readonly #db: Queryable;
  #reply: {
    isCommitted: PromiseWithResolvers<void>;
    isReleased: PromiseWithResolvers<void>;
  } | null = null;
  isFailing = false;
  /** True if all calls fail that count requests or lease blocks. */
  isAway = false;
  failures = 0;
  /** Number of calls that count requests or lease blocks. */
  calls = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Holds back the reply to the next renewal, which the store commits. */
  holdReply(): { isCommitted: Promise<void>; release(): void } {
    const isCommitted = Promise.withResolvers<void>();
    const isReleased = Promise.withResolvers<void>();
    this.#reply = { isCommitted, isReleased };
    return { isCommitted: isCommitted.promise, release: () => isReleased.resolve() };
  }

  /** Resolves once the meter has the reply to the last query. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#last]);
    await setImmediate();
  }

  query<T extends Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    const rows = this.#query<T>(sql, params);
    this.#last = rows;
    return rows;
  }

  async #query<T extends Row>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    if (!sql.includes('take_quota')) return this.#db.query<T>(sql, params);
    this.calls += 1;
    if (this.isAway) throw new Error('away');
    const [call] = JSON.parse(String(params[0])) as { units: number }[];
    if (call?.units !== 0) return this.#db.query<T>(sql, params);
    if (this.isFailing) {
      this.failures += 1;
      throw new Error('away');
    }
    const rows = await this.#db.query<T>(sql, params);
    this.#reply?.isCommitted.resolve();
    await this.#reply?.isReleased.promise;
    return rows;
  }
}

export function consumeOne(
  meter: RunningQuotaMeter,
  clock: FakeClock,
  plan = LARGE,
  customerId = 'c',
) {
  return meter.consume({ customerId, plan, cost: 'all', now: clock.now() });
}

/** Sends a request every 100 ms. */
export async function consumeSlowly(meter: RunningQuotaMeter, clock: FakeClock): Promise<void> {
  for (let count = 0; count < REQUESTS; count += 1) {
    await consume(meter, clock, 1);
    await clock.advance(100);
  }
}

/** Sends a request and returns the requests that are left in the minute. */
export async function minuteLeft(meter: RunningQuotaMeter, clock: FakeClock, plan = LARGE) {
  const [result] = await consume(meter, clock, 1, 'in turn', plan);
  return Number(/"minute";r=(\d+)/.exec(String(result?.headers))?.[1]);
}

export async function consume(
  meter: RunningQuotaMeter,
  clock: FakeClock,
  count: number,
  order: 'in turn' | 'at once' = 'in turn',
  plan = LARGE,
): Promise<Exclude<MeterResult, { kind: 'unavailable' }>[]> {
  const results: Promise<MeterResult>[] = [];
  for (let index = 0; index < count; index += 1) {
    const request = { customerId: 'c', plan, cost: 'all', now: clock.now() } as const;
    const result = Promise.resolve(meter.consume(request));
    if (order === 'in turn') await result;
    results.push(result);
  }
  const settled = await Promise.all(results);
  return settled.filter((result) => result.kind !== 'unavailable');
}

/** Advances the clock until the sweep of idle blocks has been written. */
export async function advanceUntil(
  clock: FakeClock,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await vi.waitFor(
    async () => {
      await clock.advance(1_000);
      if (!(await isDone())) throw new Error('the blocks were not returned');
    },
    { timeout: 30_000 },
  );
}

export async function countOf(db: Db): Promise<number> {
  return (await loadUse(db, 'c'))?.dayCount ?? 0;
}

export function blocksOf(db: Db): Promise<{ token: string; units: number }[]> {
  // Returns the blocks that processes use.
  return db.query('select token, quota_units as units from quota_block where used_ms is null');
}
