import { TOTAL_MS } from '../delivery/send/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import { CommitJournal, type CommittedEntry } from '../storage/commit-journal.ts';
import type { Db, Queryable } from '../storage/db.ts';
import { isStoreTrouble } from '../storage/errors.ts';
import type { Pooler } from '../storage/engines/postgres/connection-settings.ts';
import { openPostgres } from '../storage/engines/postgres/postgres.ts';
import { processName } from '../storage/folder/process-identity.ts';
import {
  type FailoverReport,
  type LostCounts,
  saveFailoverReport,
} from '../storage/health/failover-reports.ts';
import { findLostCommits, restoreCounts } from './lost-commits.ts';
import { startEpochIfHistoryChanged } from './store-epoch.ts';

interface FailoverDeps {
  url: string;
  pooler: Pooler;
  clock: Clock;
  log: Log;
  /** Default: the name of this process. */
  process?: string;
  /** Called before any call of this process reaches the new history. */
  onHistoryChanged(): void;
  onLost(lost: LostCounts): void;
}

/**
 * An attempt that began before the failover may still be in flight, unknown to the store. It ends
 * within its time limit, and its process notices the failover within a few seconds.
 */
const CLAIMS_HELD_MS = TOTAL_MS + 5_000;
const ENTRIES_MAX_BY_KIND = 300;
const LOGGED_IDS_MAX = 20;

/**
 * Prepares a process for another history, such as that of a promoted standby, when its connections
 * reach it: starts the epoch, compares the store with the journal of acknowledged commits, and reports
 * missing ones. All other calls of the process wait meanwhile, so that none writes before.
 */
export class Failover {
  readonly journal: CommitJournal;
  readonly #deps: FailoverDeps;
  #claimsHeldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(deps: FailoverDeps) {
    this.#deps = deps;
    const { process = processName(), clock } = deps;
    this.journal = new CommitJournal({ process, clock });
  }

  /** Returns true while no delivery may be claimed. */
  areClaimsHeld(): boolean {
    return this.#deps.clock.monotonicMs() < this.#claimsHeldUntilMs;
  }

  /** Holds claims back if an epoch has started just before this process. */
  async holdClaimsAfterEpoch(db: Queryable): Promise<void> {
    const { clock } = this.#deps;
    // Returns one row. Reads a row per epoch.
    const [row] = await db.query<{ startedAt: Instant | null }>(
      `select max(started_at) as "startedAt" from store_epoch where reason = 'failover'`,
    );
    const ageMs = clock.now() - (row?.startedAt ?? 0);
    if (ageMs < 0 || ageMs >= CLAIMS_HELD_MS) return;
    this.#claimsHeldUntilMs = clock.monotonicMs() + CLAIMS_HELD_MS - ageMs;
  }

  readonly accept = async (history: string): Promise<void> => {
    const { url, pooler, clock, log, onHistoryChanged } = this.#deps;
    this.#claimsHeldUntilMs = Number.POSITIVE_INFINITY;
    const db = openPostgres({ url, pooler, poolSize: 2 });
    try {
      await startEpochIfHistoryChanged({ db, clock, log });
      await this.#compare(db, history).catch((error: unknown) => {
        if (isStoreTrouble(error)) throw error;
        log.error(
          { event: 'store.comparison_failed', err: error },
          'the commits before the failover could not be compared with the store',
        );
      });
    } finally {
      await db.close();
    }
    this.#claimsHeldUntilMs = clock.monotonicMs() + CLAIMS_HELD_MS;
    onHistoryChanged();
  };

  async #compare(db: Db, history: string): Promise<void> {
    const { clock, log, onLost } = this.#deps;
    const { journal } = this;
    const entries = journal.entries();
    const lostEntries = await findLostCommits(db, journal.process, entries);
    const lost = countByKind(lostEntries);
    const [first] = lostEntries;
    const report: FailoverReport = {
      process: journal.process,
      comparedAt: clock.now(),
      compared: entries.length,
      isComplete: first !== entries[0] || !journal.hasEvictedSince(first?.committedAt ?? 0),
      lost,
      entries: firstOfEachKind(lostEntries),
    };
    const isNew = await db.transaction(async (tx) => {
      if (!(await saveFailoverReport(tx, { ...report, history }))) return false;
      await restoreCounts(tx, lostEntries.filter(isCount));
      return true;
    });
    journal.remove(new Set(lostEntries));
    if (!isNew) return;
    onLost(lost);
    const { compared, isComplete } = report;
    if (lostEntries.length === 0) {
      log.info(
        { event: 'store.failover_compared', compared },
        'no acknowledged commit of this process was lost in the failover',
      );
    } else {
      log.error(
        { event: 'store.commits_lost', compared, isComplete, lost, ...idsOf(lostEntries) },
        'acknowledged commits were lost in the failover; afterbell doctor lists them',
      );
    }
  }
}

function isCount(entry: CommittedEntry): entry is Extract<CommittedEntry, { kind: 'count' }> {
  return entry.kind === 'count';
}

function countByKind(entries: readonly CommittedEntry[]): LostCounts {
  const counts: LostCounts = {};
  for (const entry of entries) {
    const units = entry.kind === 'count' ? entry.units : 1;
    counts[entry.kind] = (counts[entry.kind] ?? 0) + units;
  }
  return counts;
}

function firstOfEachKind(entries: readonly CommittedEntry[]): CommittedEntry[] {
  return [...Map.groupBy(entries, ({ kind }) => kind).values()].flatMap((group) =>
    group.slice(0, ENTRIES_MAX_BY_KIND),
  );
}

function idsOf(entries: readonly CommittedEntry[]): Record<string, unknown> {
  const ids = <T>(of: (entry: CommittedEntry) => T | null): T[] =>
    [...new Set(entries.flatMap((entry) => of(entry) ?? []))].slice(0, LOGGED_IDS_MAX);
  return {
    responses: ids((entry) => (entry.kind === 'response' ? entry.url : null)),
    changes: ids((entry) => (entry.kind === 'change' ? entry.id : null)),
    deliveries: ids((entry) => (entry.kind === 'attempt' ? entry.deliveryId : null)),
    customers: ids((entry) => (entry.kind === 'count' ? entry.customerId : null)),
    actions: ids((entry) =>
      entry.kind === 'action' ? `${entry.action} ${entry.subject ?? ''} by ${entry.actor}` : null,
    ),
  };
}
