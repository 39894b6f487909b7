import type { MarketCalendar } from '../domain/market/calendar.ts';
import {
  type Dataset,
  combineMergeResults,
  emptyMergeResult,
  type MergeContext,
  type MergeResult,
  type MergeInput,
} from '../datasets/dataset.ts';
import { datasets } from '../datasets/registry.gen.ts';
import { mergeSecurities, type SecuritiesMerge } from '../datasets/securities/merge.ts';
import { withFilerKeys } from '../datasets/securities/owners.ts';
import { disputedSymbols, loadFilersOf, unknownSymbols } from '../datasets/securities/store.ts';
import type { RecordedRow } from '../datasets/source-records/record-rows.ts';
import { filerOf, filerKey, touchedKeys } from '../datasets/source-records/entity-keys.ts';
import { compareBy } from '../platform/compare.ts';

/** Data sets in dependency order, then by name. */
export const MERGE_ORDER: readonly Dataset[] = inDependencyOrder(datasets);

/** Updates the derived rows that new rows affect: securities first, then each data set. */
export async function mergeRows(
  context: MergeContext,
  rows: readonly RecordedRow[],
  market: MarketCalendar,
  missing: MergeInput['missing'] = new Map(),
): Promise<MergeResult> {
  const named = touchedKeys(rows, 'profiles').filter((key) => filerOf(key) === null);
  const renamed = touchedKeys(rows, 'profiles', (row) => row.mattersToOrder);
  const listing = await mergeSecurities(context, [
    ...touchedKeys(rows, 'securities'),
    ...renamed.filter((key) => filerOf(key) === null),
    // Former names of a filer may be those of another symbol.
    ...(await loadFilersOf(
      context.tx,
      renamed.flatMap((key) => filerOf(key) ?? []),
    )),
    ...(await disputedSymbols(context.tx, named)),
    ...(await unknownSymbols(context.tx, symbolsOf(rows))),
  ]);
  return mergeTouched(context, listing, { rows, missing, market });
}

/**
 * Derives the securities of these symbols again if their prices may show which company a symbol
 * refers to.
 */
export async function remergeDisputed(
  context: MergeContext,
  symbols: readonly string[],
  market: MarketCalendar,
): Promise<MergeResult> {
  const disputed = await disputedSymbols(context.tx, symbols);
  if (disputed.length === 0) return emptyMergeResult();
  const listing = await mergeSecurities(context, disputed);
  return mergeTouched(context, listing, { rows: [], missing: new Map(), market });
}

async function mergeTouched(
  context: MergeContext,
  listing: SecuritiesMerge,
  { rows, missing, market }: Omit<MergeInput, 'listing'>,
): Promise<MergeResult> {
  const touched = {
    rows,
    listing: {
      affectedKeys: [...listing.affectedSymbols, ...[...listing.affectedCiks].map(filerKey)],
      removedIds: [...listing.removedIds],
    },
    missing,
    market,
  };
  const merges: MergeResult[] = [listing];
  for (const dataset of MERGE_ORDER) merges.push(await dataset.merge(context, touched));
  return combineMergeResults(merges);
}

/** Derives all rows for these symbols again after one of their splits became known. */
export async function remergeSplits(
  context: MergeContext,
  symbols: readonly string[],
  market: MarketCalendar,
): Promise<MergeResult> {
  const affectedKeys = await withFilerKeys(context.tx, symbols);
  const touched = {
    rows: [],
    listing: { affectedKeys, removedIds: [] },
    missing: new Map(),
    market,
  };
  const merges: MergeResult[] = [];
  for (const dataset of MERGE_ORDER) merges.push(await dataset.merge(context, touched));
  return combineMergeResults(merges);
}

const ABOUT_SECURITIES: ReadonlySet<string> = new Set(
  datasets.filter(({ isAboutSecurities }) => isAboutSecurities !== false).map(({ name }) => name),
);

/** Returns the symbols in new rows. Rows that only repeat the last observation are skipped. */
function symbolsOf(rows: readonly RecordedRow[]): string[] {
  return rows
    .filter(({ row, mattersToOrder }) => mattersToOrder && row.dataset !== 'securities')
    .filter(({ row }) => ABOUT_SECURITIES.has(row.dataset))
    .map(({ row }) => row.entityKey)
    .filter((key) => filerOf(key) === null);
}

function inDependencyOrder(unordered: readonly Dataset[]): Dataset[] {
  const sorted: Dataset[] = [];
  const remaining = unordered.toSorted(compareBy(({ name }) => name));
  while (remaining.length > 0) {
    const names = new Set(sorted.map(({ name }) => name));
    const next = remaining.findIndex(({ after }) => after.every((name) => names.has(name)));
    if (next === -1) {
      const cycle = remaining.map(({ name }) => name).join(', ');
      throw new Error(`data sets depend on each other: ${cycle}`);
    }
    sorted.push(...remaining.splice(next, 1));
  }
  return sorted;
}
