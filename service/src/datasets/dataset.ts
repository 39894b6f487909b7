import type { Instant } from '../platform/instant.ts';
import type { Transaction } from '../storage/db.ts';

/** What one merge did, for the report of a run, the outbox and the answer caches. */
export interface MergeResult {
  changes: Change[];
  /** Topics whose cached answers are stale, such as `earnings:date:2026-11-20`. */
  topics: Set<string>;
  /** Ids of records that no canonical row could take in. */
  held: Map<number, HeldReason>;
}

export interface HeldReason {
  reason: string;
  detail: string;
}

/** A canonical row came to be or changed: what webhooks and `changes` will tell of. */
export interface Change {
  dataset: string;
  entityId: string;
  symbol: string;
  changedFields: string[];
  observedAt: Instant;
}

export interface MergeContext {
  tx: Transaction;
  /** Commit time: the `known_from` of versions written now. */
  now: Instant;
}

export function emptyMerge(): MergeResult {
  return { changes: [], topics: new Set(), held: new Map() };
}

export function joinMerges(parts: readonly MergeResult[]): MergeResult {
  const joined = emptyMerge();
  for (const part of parts) {
    joined.changes.push(...part.changes);
    for (const topic of part.topics) joined.topics.add(topic);
    for (const [id, reason] of part.held) joined.held.set(id, reason);
  }
  return joined;
}
