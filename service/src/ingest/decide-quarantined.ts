import type { Topic } from '../datasets/topics.gen.ts';
import { writeChanges } from '../datasets/changes/store.ts';
import { singleWriterDb } from '../datasets/jobs/single-writer.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import {
  type DecisionEntry,
  type DecisionResult,
  saveDecision,
} from '../datasets/quarantine/decisions.ts';
import { rowsToMerge } from '../datasets/quarantine/accept.ts';
import { findQuarantined } from '../datasets/quarantine/list.ts';
import { takeVersionInstant } from '../datasets/versions/version-clock.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import type { Db, Transaction } from '../storage/db.ts';
import { mergeRows } from './merge-rows.ts';

export interface DecideDeps {
  db: Db;
  /** Called after each commit with the topics it made stale. */
  onCommit(topics: ReadonlySet<Topic>): void;
}

/**
 * Records an operator's decision on a quarantined row and applies it: an accepted row is merged
 * like a row from the source, and a row that is no longer accepted is removed again. `also` runs in
 * the same transaction.
 */
export async function decideQuarantined(
  { db, onCommit }: DecideDeps,
  entry: DecisionEntry,
  also: (tx: Transaction) => Promise<void>,
): Promise<DecisionResult> {
  const { overrides } = await loadMarketOverrides(db);
  const market = marketCalendar(overrides);
  const { id, decision, at } = entry;

  async function decide(tx: Transaction): Promise<{ topics: ReadonlySet<Topic> }> {
    const now = await takeVersionInstant(tx, at);
    const before = await findQuarantined(tx, id);
    if (before === null) throw new RejectedDecision({ kind: 'not-found' });
    const wasAccepted = before.decision?.decision === 'accepted';
    if (wasAccepted && decision === 'accepted')
      throw new RejectedDecision({ kind: 'already-accepted' });
    if (wasAccepted && id.kind === 'row') throw new RejectedDecision({ kind: 'already-recorded' });
    await saveDecision(tx, entry);
    await also(tx);
    if (decision === 'rejected' && !wasAccepted) return { topics: new Set() };
    const rows = await rowsToMerge(tx, id);
    if (rows === 'unreadable')
      throw new RejectedDecision({ kind: 'unreadable', detail: before.detail });
    if (rows === null) throw new RejectedDecision({ kind: 'not-found' });
    const merged = await mergeRows({ tx, now }, rows, market);
    const [reason] = rows.flatMap(({ recordId }) => merged.quarantined.get(recordId) ?? []);
    if (decision === 'accepted' && reason !== undefined) {
      throw new RejectedDecision({ kind: 'not-merged', detail: reason.detail });
    }
    await writeChanges(tx, merged.changes, merged.topics, now);
    return { topics: merged.topics };
  }

  try {
    const { topics } = await singleWriterDb(db).transaction(decide);
    if (topics.size > 0) onCommit(topics);
    return { kind: 'decided' };
  } catch (error) {
    if (error instanceof RejectedDecision) return error.result;
    throw error;
  }
}

/** Thrown to roll back the transaction. */
class RejectedDecision extends Error {
  readonly result: DecisionResult;

  constructor(result: DecisionResult) {
    super(result.kind);
    this.result = result;
  }
}
