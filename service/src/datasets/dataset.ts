import type { Instant } from '../platform/instant.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import type { Transaction } from '../storage/db.ts';
import type { CoverageTable } from './counts/coverage-table.ts';
import type { Explore } from './explore.ts';
import type { DatasetName } from './observations.ts';
import type { RecordedRow } from './source-records/record-rows.ts';
import { type Topic, topics } from './topics.gen.ts';

/**
 * A data set of the hub: a folder whose `index.ts` exports this interface as `dataset`. Providers
 * fill it with observations, and its merge derives canonical rows from all of them.
 */
export interface Dataset {
  /** Name of the folder. Feeds refer to the data set by it. */
  name: DatasetName;
  describe: string;
  /**
   * False if its entity keys are not listed securities (symbols and filers), for example for
   * economic releases or companies that may never be listed. True by default, which means that
   * every reported symbol becomes known.
   */
  isAboutSecurities?: boolean;
  /** Data sets that this one depends on and that merge first. `securities` is always included. */
  after: readonly DatasetName[];
  /**
   * Data sets whose rows also contain rows from this one, because their feeds fill it. Empty by
   * default.
   */
  shownBy?: readonly DatasetName[];
  /** Update interval of the sources. Older data is shown as late. */
  due: 'daily' | 'weekly' | 'trading-day';
  /** Used by `/v1/coverage`. */
  coverage: CoverageTable;
  /** Lets operators browse the data set's facts. Absent if the data set cannot be browsed. */
  explore?: Explore;
  /** Derives every canonical row that the recorded rows affect, and writes the differences. */
  merge(context: MergeContext, input: MergeInput): Promise<MergeResult>;
}

/** Input of a merge: the recorded rows and everything they affect. */
export interface MergeInput {
  /** The recorded rows for all data sets. */
  rows: readonly RecordedRow[];
  /** Entity keys whose security changed or split, and ids of removed securities. */
  listing: { affectedKeys: readonly string[]; removedIds: readonly string[] };
  /** Entity keys, by data set, that a complete list for their days no longer contains. */
  missing: ReadonlyMap<string, readonly string[]>;
  market: MarketCalendar;
}

/** The result of a merge, for run reports, the outbox and the response caches. */
export interface MergeResult {
  changes: Change[];
  topics: Set<Topic>;
  /** Records that no canonical row uses, by id. */
  quarantined: Map<number, QuarantineReason>;
}

export interface QuarantineReason {
  reason: string;
  detail: string;
}

/** A canonical row that was added, changed or removed. Webhooks and `/v1/changes` publish it. */
export interface Change {
  dataset: string;
  entityId: string;
  symbol: string;
  kind: ChangeKind;
  changedFields: string[];
  /** Values of the changed fields before and after, in the same form as in the rows. */
  fields: Readonly<Record<string, { from: unknown; to: unknown }>>;
  observedAt: Instant;
}

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface MergeContext {
  tx: Transaction;
  /** Commit time, which is also the `known_from` of versions written in this commit. */
  now: Instant;
}

export function emptyMergeResult(): MergeResult {
  return { changes: [], topics: new Set(), quarantined: new Map() };
}

export function combineMergeResults(results: readonly MergeResult[]): MergeResult {
  const combined = emptyMergeResult();
  for (const { changes, topics: stale, quarantined } of results) {
    combined.changes.push(...changes);
    for (const topic of stale) combined.topics.add(topic);
    for (const [id, reason] of quarantined) combined.quarantined.set(id, reason);
  }
  if (combined.changes.length > 0) combined.topics.add(topics.changes.any);
  return combined;
}
