import { hostname } from 'node:os';
import {
  renewLease,
  fencedDb,
  releaseLease,
  loadLease,
  type LeaseState,
  acquireLease,
} from '../datasets/jobs/lease-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createBackoff, type Backoff } from '../platform/backoff.ts';
import type { Db } from '../storage/db.ts';
import { processStartOf } from '../storage/folder/process-identity.ts';

export interface LeaseDeps {
  db: Db;
  clock: Clock;
  log: Log;
  /** Names this process among all that use the store; see `processName`. */
  holder: string;
}

/** One uninterrupted time of holding a lease. */
export interface LeaseTerm {
  /** Aborts when the lease is lost, or is to be given back. */
  signal: AbortSignal;
  /** The store, of which every transaction is refused once the lease is another's. */
  db: Db;
}

/** A holder gives a sign of life this often … */
const BEAT_MS = 10_000;
/** … and is taken for dead when it gave none for so long. */
const SILENCE_MS = 30_000;
const LOOK_MS = 5_000;
const LOOK_MS_MAX = 30_000;

/**
 * Works while this process holds the lease, of which one process at a time can be sure. Waits while
 * another holds it, takes over from one that is silent for half a minute, and gives it back in the
 * end. No wall clocks are compared: the waiting process times the silence on its own.
 *
 * Silence may also be that of a process that was only stopped for a while. When it wakes, the store
 * refuses what it had under way (`Term.db`). Returns when `signal` aborts or `work` returns.
 */
export async function withLease(
  deps: LeaseDeps,
  name: string,
  signal: AbortSignal,
  events: { onWaiting?(holder: string): void; work(term: LeaseTerm): Promise<void> },
): Promise<void> {
  const trouble = createBackoff({
    clock: deps.clock,
    minMs: LOOK_MS,
    maxMs: LOOK_MS_MAX,
    log: (facts) =>
      deps.log.error(
        {
          ...facts,
          lease: name,
        },
        'A lease could not be worked under.',
      ),
  });
  while (!signal.aborted) {
    const token = await acquire({ ...deps, trouble }, name, signal, events.onWaiting);
    if (token === null) return;
    const end = new AbortController();
    const stop = (): void => end.abort();
    signal.addEventListener('abort', stop);
    const beating = keepBeating(deps, name, token, end);
    try {
      await events.work({ signal: end.signal, db: fencedDb(deps.db, name, token) });
      if (!end.signal.aborted) return;
    } catch (error) {
      await deps.clock.sleep(trouble.failed(error), signal);
    } finally {
      signal.removeEventListener('abort', stop);
      end.abort();
      await beating;
      await releaseLease(deps.db, name, token).catch(ignore);
    }
  }
}

/** This process, told from a later one with the same number. */
export function processName(): string {
  return `${hostname()} ${process.pid} ${processStartOf(process.pid) ?? ''}`.trim();
}

/** The token, or null when the signal aborts while waiting. */
async function acquire(
  deps: LeaseDeps & { trouble: Backoff },
  name: string,
  signal: AbortSignal,
  onWaiting?: (holder: string) => void,
): Promise<number | null> {
  const watched: { lease: LeaseState | null; sinceMs: number } = {
    lease: null,
    sinceMs: deps.clock.monotonicMs(),
  };
  while (!signal.aborted) {
    let waitMs = LOOK_MS;
    try {
      const seen = await loadLease(deps.db, name);
      if (seen?.token !== watched.lease?.token || seen?.beat !== watched.lease?.beat) {
        watched.sinceMs = deps.clock.monotonicMs();
        watched.lease = seen;
      }
      const isSilent = deps.clock.monotonicMs() - watched.sinceMs >= SILENCE_MS;
      const isDead = isSilent || isGoneForSure(deps, seen);
      const token = await acquireLease(deps.db, name, deps.holder, isDead ? seen : null);
      deps.trouble.succeeded();
      if (token !== null) return token;
      // Who came between the look and the try is looked up: else one would wait for nobody, and be told
      // of the same process twice.
      const holder = seen?.holder ?? (await loadLease(deps.db, name))?.holder ?? null;
      if (holder !== null) onWaiting?.(holder);
    } catch (error) {
      waitMs = deps.trouble.failed(error);
    }
    await deps.clock.sleep(waitMs, signal);
  }
  return null;
}

/** One process at a time can have the embedded store open: any other holder has died. */
function isGoneForSure({ db, holder }: LeaseDeps, seen: LeaseState | null): boolean {
  return db.engine === 'pglite' && seen !== null && seen.holder !== holder;
}

/** Ends the term when the lease is another's, or when nobody can know that it is not. */
async function keepBeating(
  { db, clock, log }: LeaseDeps,
  name: string,
  token: number,
  end: AbortController,
): Promise<void> {
  let beatAtMs = clock.monotonicMs();
  const trouble = createBackoff({
    clock,
    minMs: BEAT_MS,
    maxMs: BEAT_MS,
    log: (facts) =>
      log.warn(
        {
          ...facts,
          lease: name,
        },
        'A sign of life could not be given.',
      ),
  });
  while (!end.signal.aborted) {
    await clock.sleep(BEAT_MS, end.signal);
    if (end.signal.aborted) return;
    try {
      if (!(await renewLease(db, name, token))) {
        log.warn({ lease: name }, 'Another process gathers by now; this one stops.');
        end.abort();
      }
      beatAtMs = clock.monotonicMs();
    } catch (error) {
      trouble.failed(error);
      if (clock.monotonicMs() - beatAtMs >= SILENCE_MS) end.abort();
    }
  }
}

function ignore(): void {}
