import { writeChanges } from '../datasets/changes/store.ts';
import type { QuarantineReason } from '../datasets/dataset.ts';
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
  /** Told after each commit which topics are stale. */
  onCommit(topics: ReadonlySet<string>): void;
}

/**
 * Writes down what an operator decided of something in quarantine, and has it take effect: what is
 * accepted is merged as the source's word, what was and is not any more is taken out again. `also`
 * is part of the same commit.
 */
export async function decideQuarantined(
  { db, onCommit }: DecideDeps,
  entry: DecisionEntry,
  also: (tx: Transaction) => Promise<void>,
): Promise<DecisionResult> {
  const { overrides } = await loadMarketOverrides(db);
  const market = marketCalendar(overrides);
  const { id, decision, at } = entry;

  async function decide(tx: Transaction): Promise<{ topics: ReadonlySet<string> }> {
    const now = await takeVersionInstant(tx, at);
    const before = await findQuarantined(tx, id);
    if (before === null) throw new Refusal({ kind: 'not-found' });
    const wasAccepted = before.decision?.decision === 'accepted';
    if (wasAccepted && decision === 'accepted') throw new Refusal({ kind: 'already-accepted' });
    if (wasAccepted && id.kind === 'row') throw new Refusal({ kind: 'already-recorded' });
    await saveDecision(tx, entry);
    await also(tx);
    if (decision === 'rejected' && !wasAccepted) return { topics: new Set() };
    const rows = await rowsToMerge(tx, id);
    if (rows === 'unreadable') throw new Refusal({ kind: 'unreadable', detail: before.detail });
    if (rows === null) throw new Refusal({ kind: 'not-found' });
    const merged = await mergeRows({ tx, now }, rows, market);
    const held = rows.map(({ recordId }) => merged.quarantined.get(recordId)).find(isHeld);
    if (decision === 'accepted' && held !== undefined) {
      throw new Refusal({ kind: 'not-merged', detail: held.detail });
    }
    await writeChanges(tx, merged.changes, merged.topics, now);
    return { topics: merged.topics };
  }

  try {
    const { topics } = await singleWriterDb(db).transaction(decide);
    if (topics.size > 0) onCommit(topics);
    return { kind: 'decided' };
  } catch (error) {
    if (error instanceof Refusal) return error.outcome;
    throw error;
  }
}

/** Takes the transaction back. */
class Refusal extends Error {
  readonly outcome: DecisionResult;

  constructor(outcome: DecisionResult) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

function isHeld(held: QuarantineReason | undefined): held is QuarantineReason {
  return held !== undefined;
}
