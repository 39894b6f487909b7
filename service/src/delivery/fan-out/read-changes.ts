import { type ChangeRecord, loadChanges } from '../../datasets/changes/load.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { hasAnyBaseline, markStale } from '../../webhooks/subscription/baseline.ts';
import type { EngineDeps } from '../engine.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { type ChangedSubject, queueSubjects } from './queue.ts';

/**
 * Maximum age of a change when it is stored. Older changes are not sent, so that backfills and
 * replays send nothing. Time spent waiting after the change is stored is ignored.
 */
const CHANGE_AGE_MS_MAX = 86_400_000;
const PAGE_SIZE = 500;

/**
 * Reads the next page of change records and queues their companies, in the same transaction that
 * moves the cursor. Returns the number of records, or 0 if another process is reading.
 */
export async function readChanges({ db, clock, templates }: EngineDeps): Promise<number> {
  return db.transaction(async (tx) => {
    const cursor = await lockCursor(tx, 'changes', 0);
    if (cursor === null) return 0;
    const filter = { dataset: null, symbols: null, hiddenFields: [], historyFrom: null };
    const page = { ...filter, limit: PAGE_SIZE };
    const records = await loadChanges(tx, { afterId: cursor.position }, page);
    const last = records.at(-1);
    if (last === undefined) return 0;
    const now = clock.now();
    const datasets = new Set<string>(templates.map(({ dataset }) => dataset));
    const relevant = records.filter(
      (record) => datasets.has(record.dataset) && wasRecent(record, now),
    );
    await queueSubjects(tx, await subjectsOf(tx, relevant, templates));
    const old = records.filter((record) => datasets.has(record.dataset) && !wasRecent(record, now));
    if (old.length > 0 && (await hasAnyBaseline(tx))) {
      await markStale(tx, await subjectsOf(tx, old, templates));
    }
    await moveCursor(tx, 'changes', { position: last.id, progress: '' });
    return records.length;
  });
}

/**
 * Also compares with `now`: commit times never decrease, so if a clock ran ahead and was set back,
 * commit times are in the future for a while.
 */
function wasRecent({ observedAt, committedAt }: ChangeRecord, now: Instant): boolean {
  return observedAt >= Math.min(committedAt, now) - CHANGE_AGE_MS_MAX;
}

/** Returns a subject for every template that uses the dataset and every symbol of the company. */
async function subjectsOf(
  db: Queryable,
  records: readonly ChangeRecord[],
  templates: EngineDeps['templates'],
): Promise<ChangedSubject[]> {
  const changedSymbols = new Set(records.flatMap(symbolsOf));
  const aliases = new Map([...changedSymbols].map((symbol) => [symbol, new Set([symbol])]));
  for (const security of await loadSecuritiesBySymbol(db, changedSymbols)) {
    const symbols = security.symbols.map(({ symbol }) => symbol);
    for (const symbol of symbols) {
      for (const alias of symbols) aliases.get(symbol)?.add(alias);
    }
  }
  return records.flatMap((record) =>
    templates
      .filter(({ dataset }) => dataset === record.dataset)
      .flatMap(({ templateId }) =>
        symbolsOf(record)
          .flatMap((symbol) => [...(aliases.get(symbol) ?? [])])
          .map((symbol) => ({ templateId, symbol, changedAt: record.committedAt })),
      ),
  );
}

/** Returns the symbol of a record and, if the company was renamed, its former symbol. */
function symbolsOf({ symbol, fields }: ChangeRecord): string[] {
  const former = fields?.['symbol']?.from;
  return [symbol, ...(typeof former === 'string' ? [former] : [])].filter((text) => text !== '');
}
