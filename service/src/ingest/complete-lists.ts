import type { MergeInput } from '../datasets/dataset.ts';
import {
  hasLaterList,
  recordCompleteList,
  listedKeys,
  type CompleteList,
} from '../datasets/source-records/listed-days.ts';
import type {
  SourceResponse,
  BadRow,
  Feed,
  ParseResult,
  ParsedRow,
  Provider,
} from '../providers/provider.ts';
import type { Transaction } from '../storage/db.ts';

/** What an answer lists, and its rows. */
export interface ListedRows {
  list: CompleteList;
  rows: readonly ParsedRow[];
  /** False where a row could not be read: it may be of anyone. */
  isComplete: boolean;
}

/** Rows that are left aside for what they are, or of which another one was taken. */
const HARMLESS_REASONS: ReadonlySet<string> = new Set([
  'foreign-symbol',
  'conflicting-duplicate',
  'conflicting-row',
  'overruled-row',
]);

/**
 * The answer as a list of some days; null when it is none. An answer of an unknown time is before or
 * after nothing.
 */
export function completeListOf(
  work: { provider: Provider; feed: Feed; answer: SourceResponse; parsed: ParseResult },
  rows: readonly ParsedRow[],
  bad: readonly BadRow[],
): ListedRows | null {
  const { completeRange: whole } = work.parsed;
  const { observedAt } = work.answer;
  if (whole === undefined || observedAt <= 0) return null;
  const list = { ...whole, provider: work.provider.name, feed: work.feed.name, observedAt };
  return {
    list,
    rows: rows.filter(({ dataset }) => dataset === whole.dataset),
    isComplete: bad.every(({ reason }) => HARMLESS_REASONS.has(reason)),
  };
}

/**
 * Notes a whole list, and returns whom it lacks that its feed once listed on one of its days. For one
 * that comes late it is everyone: how long it was tells whether newer ones were whole.
 */
export async function recordList(
  tx: Transaction,
  { list, rows, isComplete: isWhole }: ListedRows,
): Promise<MergeInput['missing']> {
  const isLate = await hasLaterList(tx, list);
  if (isWhole) await recordCompleteList(tx, list, fieldsOf(rows));
  else if (!isLate) return new Map();
  const present = new Set(isLate ? [] : rows.map(({ entityKey: subject }) => subject));
  const listed = await listedKeys(tx, list);
  return new Map([[list.dataset, listed.filter((subject) => !present.has(subject))]]);
}

function fieldsOf(rows: readonly ParsedRow[]): object[] {
  return rows.map(({ fields }) => fields);
}
