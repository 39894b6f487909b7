import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import { addUsage, pruneUsage, type UsageCount } from './usage-store.ts';
import { writeBehind } from './write-behind.ts';

/** Counts what was asked and how it was answered, by hour, for charts. */
export interface Usage {
  /** Never waits. `endpoint` is its name, or a word for what is none. */
  record(request: {
    keyId: string;
    customerId: string;
    endpoint: string;
    status: number;
    now: Instant;
  }): void;
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Different counts that wait for a store that is away; more are dropped, and that is said. */
const WAITING_MAX = 20_000;
const KEEP_DAYS = 400;

/**
 * Counts gather in memory and are added to the store within 250 ms and at the stop. A process that
 * is killed loses what it had not written; a store that fails after it has written is given the
 * same counts again. No quota rests on these.
 */
export function startUsage(deps: {
  db: Queryable;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
  /** How long hours are kept. */
  keepDays?: number;
}): Usage {
  const { db, clock, log, keepDays = KEEP_DAYS } = deps;
  let waiting = new Map<string, UsageCount>();
  let dropped = 0;
  let prunedAtMs = -Infinity;

  function add(name: string, count: UsageCount): void {
    const known = waiting.get(name);
    if (known !== undefined) known.requests += count.requests;
    else if (waiting.size < WAITING_MAX) waiting.set(name, count);
    else dropped += count.requests;
  }

  async function write(): Promise<{ isMore: boolean }> {
    const batch = waiting;
    waiting = new Map();
    try {
      if (batch.size > 0) await addUsage(db, [...batch.values()]);
    } catch (error) {
      for (const [name, count] of batch) add(name, count);
      throw error;
    }
    if (dropped > 0) log.warn({ requests: dropped }, 'usage was not recorded: too much waited');
    dropped = 0;
    await pruneHourly();
    return { isMore: waiting.size > 0 };
  }

  async function pruneHourly(): Promise<void> {
    if (clock.monotonicMs() - prunedAtMs < HOUR_MS) return;
    prunedAtMs = clock.monotonicMs();
    await pruneUsage(db, clock.now() - keepDays * DAY_MS);
  }

  const behind = writeBehind({
    clock,
    write,
    onFailure: (error) => log.warn({ err: error }, 'usage could not be written; it will be again'),
  });

  return {
    record({ keyId, customerId, endpoint, status, now }) {
      const hour = Math.floor(now / HOUR_MS);
      const name = `${hour} ${keyId} ${status} ${endpoint}`;
      const known = waiting.get(name);
      if (known !== undefined) {
        known.requests += 1;
        return;
      }
      add(name, { customerId, keyId, endpoint, status, hourAt: hour * HOUR_MS, requests: 1 });
      behind.wake();
    },
    stop: () => behind.stop(),
  };
}
