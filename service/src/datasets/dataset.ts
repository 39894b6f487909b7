import type { Instant } from '../platform/instant.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import type { Transaction } from '../storage/db.ts';
import type { CoverageTable } from './counts/coverage-table.ts';
import type { Explore } from './explore.ts';
import type { ExportedTable } from './exported-table.ts';
import type { RecordedRow } from './source-records/record-rows.ts';

/**
 * A data set of the hub: a folder whose `index.ts` exports one of these as `dataset`. Providers
 * fill it with observations; its merge derives canonical rows from all of them.
 */
export interface Dataset {
  /** Kebab-case, equal to the folder's name; feeds name it. */
  name: string;
  describe: string;
  /**
   * False when its subjects are no listed securities (symbols and filers), such as economic releases
   * or companies that may never be listed; true when absent: to speak of a symbol makes it known.
   */
  isAboutSecurities?: boolean;
  /** Data sets it builds on: they merge first. `securities` always does. */
  after: readonly string[];
  /** Data sets whose rows show rows of this one too: their feeds fill it. None when absent. */
  shownBy?: readonly string[];
  /** How often its sources are due: what is older than that is shown as late. */
  due: 'daily' | 'weekly' | 'trading-day';
  /** How `/v1/coverage` counts it. */
  coverage: CoverageTable;
  /** How `afterbell export` writes it. */
  exported: ExportedTable;
  /** How its facts are looked through one by one; absent where there are none to be shown so. */
  explore?: Explore;
  /** Derives anew what the rows touch and writes what differs. Other data sets' rows are in it too. */
  merge(context: MergeContext, touched: MergeInput): Promise<MergeResult>;
}

/** What one lot of rows touches. */
export interface MergeInput {
  rows: readonly RecordedRow[];
  /** What became of securities before: subjects whose security changed or split, ids no more. */
  listing: { affectedKeys: readonly string[]; removedIds: readonly string[] };
  /** By data set, whom a whole list of some days lacks that was listed on one of them before. */
  missing: ReadonlyMap<string, readonly string[]>;
  market: MarketCalendar;
}

/** What one merge did, for the report of a run, the outbox and the answer caches. */
export interface MergeResult {
  changes: Change[];
  /** Topics whose cached answers are stale, such as `earnings:date:2026-11-20`. */
  topics: Set<string>;
  /** Ids of records that no canonical row could take in. */
  quarantined: Map<number, QuarantineReason>;
}

export interface QuarantineReason {
  reason: string;
  detail: string;
}

/** A canonical row came to be, changed or is gone: what webhooks and `/v1/changes` tell of. */
export interface Change {
  dataset: string;
  entityId: string;
  symbol: string;
  kind: ChangeKind;
  changedFields: string[];
  /** The values of the changed fields before and after, as rows hold them. */
  fields: Readonly<Record<string, { from: unknown; to: unknown }>>;
  observedAt: Instant;
}

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The topic of answers that list changes. */
export const CHANGES_TOPIC = 'changes';

export interface MergeContext {
  tx: Transaction;
  /** Commit time: the `known_from` of versions written now. */
  now: Instant;
}

export function emptyMergeResult(): MergeResult {
  return { changes: [], topics: new Set(), quarantined: new Map() };
}

export function combineMergeResults(parts: readonly MergeResult[]): MergeResult {
  const joined = emptyMergeResult();
  for (const part of parts) {
    joined.changes.push(...part.changes);
    for (const topic of part.topics) joined.topics.add(topic);
    for (const [id, reason] of part.quarantined) joined.quarantined.set(id, reason);
  }
  if (joined.changes.length > 0) joined.topics.add(CHANGES_TOPIC);
  return joined;
}
