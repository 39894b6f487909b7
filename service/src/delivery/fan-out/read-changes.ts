import { type ChangeRecord, loadChanges } from '../../datasets/changes/load.ts';
import type { Security } from '../../datasets/securities/row.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { hasAnyBaseline, markStale } from '../../webhooks/subscription/baseline.ts';
import type { EngineDeps } from '../engine.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { fanOutChanged, type OnOpened } from './fan-out.ts';
import { type ChangedSubject, loadFollowed, queueSubjects } from './queue.ts';

/**
 * Maximum age of a change when it is stored. Older changes are not sent, so that backfills and
 * replays send nothing. Time spent waiting after the change is stored is ignored.
 */
const CHANGE_AGE_MS_MAX = 86_400_000;
const PAGE_SIZE = 500;
/** With more subjects, the transaction that reads changes would keep other processes from reading. */
const DIRECT_SUBJECTS_MAX = 16;

export interface ReadChanges {
  /** Number of change records read. Zero if another process is reading. */
  count: number;
  /** True if companies may be queued for their subscribers, or more changes may be unread. */
  hasMore: boolean;
}

/**
 * Reads the next page of change records and moves the cursor. Creates the deliveries of a few
 * changed companies in the same transaction, and queues many for `fanOut`.
 */
export async function readChanges(deps: EngineDeps, onOpened?: OnOpened): Promise<ReadChanges> {
  const { db, clock, templates } = deps;
  const read = async (tx: Transaction): Promise<ReadChanges> => {
    const cursor = await lockCursor(tx, 'changes', 0);
    if (cursor === null) return { count: 0, hasMore: true };
    const filter = { dataset: null, symbols: null, hiddenFields: [], historyFrom: null };
    const page = { ...filter, limit: PAGE_SIZE };
    const records = await loadChanges(tx, { afterId: cursor.position }, page);
    const last = records.at(-1);
    if (last === undefined) return { count: 0, hasMore: true };
    await moveCursor(tx, 'changes', { position: last.id, progress: '' });
    const now = clock.now();
    const datasets = new Set<string>(templates.map(({ dataset }) => dataset));
    const relevant = records.filter(({ dataset }) => datasets.has(dataset));
    const recent = relevant.filter((record) => wasRecent(record, now));
    const old = relevant.filter((record) => !wasRecent(record, now));
    if (old.length > 0 && (await hasAnyBaseline(tx))) {
      await markStale(tx, (await loadSubjects(tx, old, templates)).subjects);
    }
    const hasRest = await openOrQueue(deps, tx, { records: recent, onOpened });
    return { count: records.length, hasMore: hasRest || records.length === PAGE_SIZE };
  };
  return db.transaction(read, { keepsPlans: true });
}

/** Returns true if subjects were queued. */
async function openOrQueue(
  deps: EngineDeps,
  tx: Transaction,
  { records, onOpened }: { records: readonly ChangeRecord[]; onOpened: OnOpened | undefined },
): Promise<boolean> {
  if (records.length === 0) return true;
  const { subjects, securities } = await loadSubjects(tx, records, deps.templates);
  if (subjects.length > DIRECT_SUBJECTS_MAX) {
    await queueSubjects(tx, subjects);
    return true;
  }
  const { followed: changed, templateSets, hasQueued } = await loadFollowed(tx, subjects);
  if (hasQueued) {
    // Another process may be creating deliveries from older data, so these subjects wait for it.
    await queueSubjects(tx, changed);
    return true;
  }
  return fanOutChanged(deps, tx, { changed, securities, templateSets, onOpened });
}

/**
 * Also compares with `now`: commit times never decrease, so if a clock ran ahead and was set back,
 * commit times are in the future for a while.
 */
function wasRecent({ observedAt, committedAt }: ChangeRecord, now: Instant): boolean {
  return observedAt >= Math.min(committedAt, now) - CHANGE_AGE_MS_MAX;
}

interface Subjects {
  /** Each subject occurs once, with its earliest change. */
  subjects: ChangedSubject[];
  /** All securities that ever had one of the symbols. Null if not all of them were loaded. */
  securities: readonly Security[] | null;
}

/** Returns a subject for every template that uses the dataset and every symbol of the company. */
async function loadSubjects(
  db: Queryable,
  records: readonly ChangeRecord[],
  templates: EngineDeps['templates'],
): Promise<Subjects> {
  const changedSymbols = new Set(records.flatMap(symbolsOf));
  const aliases = new Map([...changedSymbols].map((symbol) => [symbol, new Set([symbol])]));
  const securities = await loadSecuritiesBySymbol(db, changedSymbols);
  for (const security of securities) {
    const symbols = security.symbols.map(({ symbol }) => symbol);
    for (const symbol of symbols) {
      for (const alias of symbols) aliases.get(symbol)?.add(alias);
    }
  }
  const subjects = new Map<string, ChangedSubject>();
  for (const record of records) {
    const symbols = symbolsOf(record).flatMap((symbol) => [...(aliases.get(symbol) ?? [])]);
    for (const { dataset, templateId } of templates) {
      if (dataset !== record.dataset) continue;
      for (const symbol of symbols) {
        const key = `${templateId} ${symbol}`;
        const changedAt = Math.min(record.committedAt, subjects.get(key)?.changedAt ?? Infinity);
        subjects.set(key, { templateId, symbol, changedAt });
      }
    }
  }
  const hasAll = [...subjects.values()].every(({ symbol }) => changedSymbols.has(symbol));
  return { subjects: [...subjects.values()], securities: hasAll ? securities : null };
}

/** Returns the symbol of a record and, if the company was renamed, its former symbol. */
function symbolsOf({ symbol, fields }: ChangeRecord): string[] {
  const former = fields?.['symbol']?.from;
  return [symbol, ...(typeof former === 'string' ? [former] : [])].filter((text) => text !== '');
}
