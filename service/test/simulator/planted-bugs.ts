import type { PendingRule } from '../../src/webhooks/queue/open-deliveries.ts';
import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import type { RunningQuotaMeter } from '../../src/metering/quota-meter.ts';
import type { Db, Queryable, Transaction } from '../../src/storage/db.ts';
import { forward } from '../../src/storage/forward.ts';
import { silentLog } from '../support/logs.ts';
import type { SimulatedProcess } from './world/process.ts';

/**
 * Bugs that a simulation must find. Each is planted from outside, in a dependency of a part,
 * because the service has no switch for them.
 */
export type PlantedBug = (typeof PLANTED_BUGS)[number];

export const PLANTED_BUGS = [
  'no-supersede',
  'no-fence',
  'quota-by-clock',
  'session-state',
  'sync-off',
] as const;

/** Adds every change to the pending delivery, even if the receiver may have seen that delivery. */
export const joinAlways: PendingRule = (pending) =>
  pending === null ? { kind: 'open' } : { kind: 'absorb', id: pending.id };

/**
 * SQL that checks that a claim is still open, and what it becomes without the check. The primary key
 * of attempts would also reject most of such results.
 */
const FENCES: readonly (readonly [fence: string, without: string])[] = [
  [
    'select token from complete union all select token from incomplete',
    'select claim_token as token from ended',
  ],
  ['join delivery_claim c on c.token = r.token and r.place <> all(c.done)', ''],
];
const RESULTS = /\)(,\s+deliveries as \(\s+update delivery d\s+set state = 'delivered')/;

function withoutFences(sql: string): string {
  const unfenced = FENCES.reduce((text, [fence, without]) => text.replace(fence, without), sql);
  return unfenced.replace(RESULTS, ' on conflict do nothing)$1');
}

/** Returns a store with which a worker finishes deliveries without checking who owns them. */
export function withoutFence(db: Db): Db {
  const unfencedQuery = <T extends Queryable>(target: T): Queryable['query'] => {
    return (sql, params) => {
      const unfencedSql = withoutFences(sql);
      return target.query(unfencedSql, params);
    };
  };
  return forward(db, {
    query: unfencedQuery(db),
    transaction: (work, options) =>
      db.transaction((tx) => {
        const unfencedTx: Transaction = {
          __transaction: true,
          query: unfencedQuery(tx),
          copy: (into, lines) => tx.copy(into, lines),
        };
        return work(unfencedTx);
      }, options),
  });
}

const COMPANIES = 'any($1::text[])';
const COMPANIES_OF_SESSION = `any(case when $1::text[] is not null then
  nullif(current_setting('reader.companies', true), '')::text[] end)`;

/** Returns a store for a reader that sets its companies in one statement and uses them in the next. */
export function throughSession(db: Db): Db {
  return forward(db, {
    async query(sql, params = []) {
      const [companies] = params;
      if (!sql.includes(`security_id = ${COMPANIES}`) || !Array.isArray(companies)) {
        return db.query(sql, params);
      }
      const value = `{${companies.join()}}`;
      await db.query(`select set_config('reader.companies', $1, false)`, [value]);
      return db.query(sql.replaceAll(COMPANIES, COMPANIES_OF_SESSION), params);
    },
  });
}

/** Returns a meter that resets whenever the clock shows a different day, even an earlier one. */
export function resetByClock(
  meter: RunningQuotaMeter,
  { clock }: SimulatedProcess,
): RunningQuotaMeter {
  const empty = { query: () => Promise.resolve([]) };
  let current: RunningQuotaMeter = meter;
  let day = dayOf(clock.now());
  return {
    async consume(request) {
      if (dayOf(clock.now()) !== day) {
        day = dayOf(clock.now());
        current = await startLocalMeter({ db: empty, clock, log: silentLog });
      }
      return current.consume(request);
    },
    refresh: () => current.refresh(),
    stop: () => meter.stop(),
  };
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}
