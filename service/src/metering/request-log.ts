import type { Clock } from '../platform/clock.ts';
import { redact } from '../platform/redact.ts';
import type { Queryable } from '../storage/db.ts';
import { addRequests, pruneRequests, type RequestFacts } from './request-log-store.ts';
import { writeBehind } from './write-behind.ts';

/** The latest requests with a key, for the customer to look at. */
export interface RequestLog {
  /** Never waits. `path` is path and query without the key. */
  record(request: RequestFacts): void;
  /** How many were not kept since the start, because too many waited. */
  readonly dropped: number;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const PRUNE_EVERY_MS = 600_000;
/** Requests that wait to be written; more are dropped, and that is said. */
const WAITING_MAX = 20_000;
const BATCH_MAX = 2_000;
const PATH_LENGTH_MAX = 2_048;
const KEEP_DAYS = 30;
const KEEP_ROWS = 1_000_000;

/**
 * Requests gather in memory and are written within 250 ms and at the stop, in the order of their
 * answers. What is older than `keepDays`, or beyond the latest `keepRows` of all customers, goes.
 */
export function startRequestLog(deps: {
  db: Queryable;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
  keepDays?: number;
  keepRows?: number;
}): RequestLog {
  const { db, clock, log, keepDays = KEEP_DAYS, keepRows = KEEP_ROWS } = deps;
  let waiting: RequestFacts[] = [];
  let dropped = 0;
  let droppedSaid = 0;
  let prunedAtMs = -Infinity;

  async function write(): Promise<{ isMore: boolean }> {
    const batch = waiting.splice(0, BATCH_MAX);
    try {
      if (batch.length > 0) await addRequests(db, batch.map(clean));
    } catch (error) {
      waiting = [...batch, ...waiting];
      throw error;
    }
    if (dropped > droppedSaid) {
      const requests = dropped - droppedSaid;
      log.warn({ requests }, 'requests are missing in the request log: too many waited');
      droppedSaid = dropped;
    }
    if (clock.monotonicMs() - prunedAtMs >= PRUNE_EVERY_MS) {
      prunedAtMs = clock.monotonicMs();
      await pruneRequests(db, { before: clock.now() - keepDays * DAY_MS, keepRows });
    }
    return { isMore: waiting.length > 0 };
  }

  const behind = writeBehind({
    clock,
    write,
    onFailure: (error) => log.warn({ err: error }, 'the request log could not be written'),
  });

  return {
    record(request) {
      if (waiting.length >= WAITING_MAX) {
        dropped += 1;
        return;
      }
      waiting.push(request);
      behind.wake();
    },
    get dropped() {
      return dropped;
    },
    async stop() {
      await behind.stop();
      while (waiting.length > 0) if (!(await written())) break;
    },
  };

  async function written(): Promise<boolean> {
    const before = waiting.length;
    await write().catch(() => undefined);
    return waiting.length < before;
  }
}

/**
 * What nearly no path holds and everything to be hidden does: the full look costs 7 µs a path, and
 * thousands go at once.
 */
const SUSPECT = /eds_|whsec_|key|token|secret|password|authorization|cookie|bearer|basic|:\/\//i;

/** Whatever a client wrote into its query, nothing that looks like a key is kept. */
function clean(request: RequestFacts): RequestFacts {
  const path = request.path.slice(0, PATH_LENGTH_MAX).replaceAll('\0', '');
  return { ...request, path: SUSPECT.test(path) ? redact(path) : path };
}
