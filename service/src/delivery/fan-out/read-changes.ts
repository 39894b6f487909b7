import { type ChangeRecord, loadChanges } from '../../datasets/changes/load.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { type ChangedSubject, queueSubjects } from './queue.ts';

/**
 * A change that was older when it was stored is told to nobody: back-fills and replays fire nothing. How
 * long it waited to be told since has no say.
 */
const OBSERVED_MS_MAX = 86_400_000;
const PAGE = 500;

/**
 * Reads the next page of change records and queues the companies they are about, in one transaction
 * with the place reached. Returns how many records were read; 0 too when another process reads.
 */
export async function readChanges({ db, clock, templates }: EngineDeps): Promise<number> {
  return db.transaction(async (tx) => {
    const cursor = await lockCursor(tx, 'changes', 0);
    if (cursor === null) return 0;
    const all = { dataset: null, symbols: null, leaveOut: [], historyFrom: null };
    const records = await loadChanges(tx, { afterId: cursor.position }, { ...all, limit: PAGE });
    const last = records.at(-1);
    if (last === undefined) return 0;
    const now = clock.now();
    const watched = records.filter(
      (record) =>
        wasFresh(record, now) && templates.some(({ dataset }) => dataset === record.dataset),
    );
    await queueSubjects(tx, await subjectsOf(tx, watched, templates));
    await moveCursor(tx, 'changes', { position: last.id, reached: '' });
    return records.length;
  });
}

/** `now`, since the times of commits never fall: behind a clock that ran ahead they stand in the future. */
function wasFresh({ observedAt, committedAt }: ChangeRecord, now: Instant): boolean {
  return observedAt >= Math.min(committedAt, now) - OBSERVED_MS_MAX;
}

/** Every template that watches the data set, under every symbol that means the company. */
async function subjectsOf(
  db: Queryable,
  records: readonly ChangeRecord[],
  templates: EngineDeps['templates'],
): Promise<ChangedSubject[]> {
  const named = new Set(records.flatMap(symbolsOf));
  const aliases = new Map([...named].map((symbol) => [symbol, new Set([symbol])]));
  for (const { symbols } of await loadSecuritiesBySymbol(db, named)) {
    const own = symbols.map(({ symbol }) => symbol);
    for (const symbol of own) for (const other of own) aliases.get(symbol)?.add(other);
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

/** The symbol of a record, and the one that its company had before. */
function symbolsOf({ symbol, fields }: ChangeRecord): string[] {
  const former = fields?.['symbol']?.from;
  return [symbol, ...(typeof former === 'string' ? [former] : [])].filter((text) => text !== '');
}
