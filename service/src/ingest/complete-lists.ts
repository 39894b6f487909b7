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

/** The rows of a list that covers some days completely. */
export interface ListedRows {
  list: CompleteList;
  rows: readonly ParsedRow[];
  /** False if a row is unreadable, since it may belong to any company. */
  isComplete: boolean;
}

/**
 * Reasons for invalid rows that were skipped on purpose or in favor of another row with the same
 * key.
 */
const HARMLESS_REASONS: ReadonlySet<string> = new Set([
  'foreign-symbol',
  'conflicting-duplicate',
  'overruled-row',
]);

/**
 * Returns the response as a complete list for some days. Returns null if it is not one, or if its
 * time is unknown, since it then cannot be ordered among other lists.
 */
export function completeListOf(
  work: { provider: Provider; feed: Feed; response: SourceResponse; parsed: ParseResult },
  rows: readonly ParsedRow[],
  bad: readonly BadRow[],
): ListedRows | null {
  const { completeRange } = work.parsed;
  const { observedAt } = work.response;
  if (completeRange === undefined || observedAt <= 0) return null;
  const list = { ...completeRange, provider: work.provider.name, feed: work.feed.name, observedAt };
  return {
    list,
    rows: rows.filter(({ dataset }) => dataset === completeRange.dataset),
    isComplete: bad.every(({ reason }) => HARMLESS_REASONS.has(reason)),
  };
}

/**
 * Records a complete list. Returns the entity keys that its feed listed before on any of these days
 * and that are missing from the list. If the list arrives late, returns all of the keys, because
 * its length decides whether newer lists were complete.
 */
export async function recordList(
  tx: Transaction,
  { list, rows, isComplete }: ListedRows,
): Promise<MergeInput['missing']> {
  const isLate = await hasLaterList(tx, list);
  const fields = rows.map((row) => row.fields);
  if (isComplete) await recordCompleteList(tx, list, fields);
  else if (!isLate) return new Map();
  const presentKeys = new Set(isLate ? [] : rows.map(({ entityKey }) => entityKey));
  const allKeys = await listedKeys(tx, list);
  return new Map([[list.dataset, allKeys.filter((key) => !presentKeys.has(key))]]);
}
