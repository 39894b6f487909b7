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
import type { LoopReporter } from '../platform/loop-health.ts';
import type { Db } from '../storage/db.ts';

export interface LeaseDeps {
  db: Db;
  clock: Clock;
  log: Log;
  /** Identifies this process among all that use the store; see `processName` in storage/folder/process-identity.ts. */
  holder: string;
}

/** An uninterrupted period of holding a lease. */
export interface LeaseTerm {
  /** Aborts when the lease is lost or about to be released. */
  signal: AbortSignal;
  /** The store, which rejects every transaction once another process has the lease. */
  db: Db;
}

export interface LeaseEvents {
  /** Receives the outcomes of acquiring the lease, and failures of the work. */
  health?: LoopReporter | undefined;
  onWaiting?(holder: string): void;
  work(term: LeaseTerm): Promise<void>;
}

/** Interval between a holder's heartbeats. */
const HEARTBEAT_MS = 10_000;
/** Time without a heartbeat after which a holder is considered dead. */
const EXPIRY_MS = 30_000;
const POLL_MS = 5_000;
const POLL_MS_MAX = 30_000;

/**
 * Runs `work` while this process has the lease. At most one process has the lease at a time. Waits
 * while another process has it, takes it over after half a minute without heartbeats, and releases
 * it at the end. No wall clocks are compared: the waiting process measures the time without
 * heartbeats itself.
 *
 * A process without heartbeats may only have been suspended. When it resumes, the store rejects its
 * transactions (`LeaseTerm.db`). Returns when `signal` aborts or `work` returns.
 */
export async function withLease(
  deps: LeaseDeps,
  name: string,
  signal: AbortSignal,
  events: LeaseEvents,
): Promise<void> {
  const { clock, db, log } = deps;
  const backoff = createBackoff({
    clock,
    minMs: POLL_MS,
    maxMs: POLL_MS_MAX,
    health: events.health,
    log: (fields) =>
      log.error({ ...fields, event: 'lease.failed', lease: name }, 'work under a lease failed'),
  });
  while (!signal.aborted) {
    const token = await acquire({ ...deps, backoff }, name, signal, events.onWaiting);
    if (token === null) return;
    const end = new AbortController();
    const stop = (): void => end.abort();
    signal.addEventListener('abort', stop);
    const renewing = keepRenewing(deps, name, token, end);
    try {
      await events.work({ signal: end.signal, db: fencedDb(db, name, token) });
      if (!end.signal.aborted) return;
    } catch (error) {
      await clock.sleep(backoff.failed(error), signal);
    } finally {
      signal.removeEventListener('abort', stop);
      end.abort();
      await renewing;
      await releaseLease(db, name, token).catch(ignore);
    }
  }
}

/** Acquires the lease and returns its token, or null if the signal aborts first. */
async function acquire(
  deps: LeaseDeps & { backoff: Backoff },
  name: string,
  signal: AbortSignal,
  onWaiting?: (holder: string) => void,
): Promise<number | null> {
  const { backoff, clock, db } = deps;
  const watch: { lease: LeaseState | null; sinceMs: number } = {
    lease: null,
    sinceMs: clock.monotonicMs(),
  };
  while (!signal.aborted) {
    let waitMs = POLL_MS;
    try {
      const lease = await loadLease(db, name);
      if (lease?.token !== watch.lease?.token || lease?.beat !== watch.lease?.beat) {
        watch.sinceMs = clock.monotonicMs();
        watch.lease = lease;
      }
      const isExpired = clock.monotonicMs() - watch.sinceMs >= EXPIRY_MS;
      const isDead = isExpired || isCertainlyDead(deps, lease);
      const token = await acquireLease(db, name, deps.holder, isDead ? lease : null);
      backoff.succeeded();
      if (token !== null) return token;
      // Another process may have acquired the lease in the meantime. Without this lookup,
      // `onWaiting` would not receive its name, or would later report the same process twice.
      const holder = lease?.holder ?? (await loadLease(db, name))?.holder ?? null;
      if (holder !== null) onWaiting?.(holder);
    } catch (error) {
      waitMs = backoff.failed(error);
    }
    await clock.sleep(waitMs, signal);
  }
  return null;
}

/**
 * Returns true if a different process has the lease on the embedded store. Only one process can
 * open that store, so the holder is dead.
 */
function isCertainlyDead({ db, holder }: LeaseDeps, lease: LeaseState | null): boolean {
  return db.engine === 'pglite' && lease !== null && lease.holder !== holder;
}

/**
 * Ends the term when another process has acquired the lease, or when renewals have failed for too
 * long.
 */
async function keepRenewing(
  { db, clock, log }: LeaseDeps,
  name: string,
  token: number,
  end: AbortController,
): Promise<void> {
  let renewedAtMs = clock.monotonicMs();
  const backoff = createBackoff({
    clock,
    minMs: HEARTBEAT_MS,
    maxMs: HEARTBEAT_MS,
    log: (fields) =>
      log.warn({ ...fields, event: 'lease.renewal_failed', lease: name }, 'lease heartbeat failed'),
  });
  while (!end.signal.aborted) {
    await clock.sleep(HEARTBEAT_MS, end.signal);
    if (end.signal.aborted) return;
    try {
      if (!(await renewLease(db, name, token))) {
        log.warn({ event: 'lease.lost', lease: name }, 'lease lost to another process, stopping');
        end.abort();
      }
      renewedAtMs = clock.monotonicMs();
    } catch (error) {
      backoff.failed(error);
      if (clock.monotonicMs() - renewedAtMs >= EXPIRY_MS) end.abort();
    }
  }
}

function ignore(): void {}
