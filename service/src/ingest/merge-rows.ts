import type { MarketCalendar } from '../domain/market/calendar.ts';
import {
  type Dataset,
  combineMergeResults,
  type MergeContext,
  type MergeResult,
  type MergeInput,
} from '../datasets/dataset.ts';
import { datasets } from '../datasets/registry.gen.ts';
import { mergeSecurities } from '../datasets/securities/merge.ts';
import { withFilerKeys } from '../datasets/securities/owners.ts';
import { unknownSymbols } from '../datasets/securities/store.ts';
import type { RecordedRow } from '../datasets/source-records/record-rows.ts';
import { filerOf, filerKey, touchedKeys } from '../datasets/source-records/entity-keys.ts';

/** Data sets in the order in which they build on each other; equal ones by name. */
export const MERGE_ORDER: readonly Dataset[] = inOrder(datasets);

/** Derives anew what the stored rows touch: who is who first, then each data set in turn. */
export async function mergeRows(
  context: MergeContext,
  rows: readonly RecordedRow[],
  market: MarketCalendar,
  missing: MergeInput['missing'] = new Map(),
): Promise<MergeResult> {
  const listing = await mergeSecurities(context, [
    ...touchedKeys(rows, 'securities'),
    ...(await unknownSymbols(context.tx, symbolsOf(rows))),
  ]);
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

/** Derives anew what is known of these symbols, whose splits have come to be known. */
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
  datasets
    .filter(({ isAboutSecurities: aboutSecurities }) => aboutSecurities !== false)
    .map(({ name }) => name),
);

/** Symbols that rows speak of. One that repeats what was said last is known since then. */
function symbolsOf(rows: readonly RecordedRow[]): string[] {
  return rows
    .filter(({ row, mattersToOrder }) => mattersToOrder && row.dataset !== 'securities')
    .filter(({ row }) => ABOUT_SECURITIES.has(row.dataset))
    .map(({ row }) => row.entityKey)
    .filter((subject) => filerOf(subject) === null);
}

function inOrder(all: readonly Dataset[]): Dataset[] {
  const placed: Dataset[] = [];
  const rest = all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  while (rest.length > 0) {
    const names = new Set(placed.map(({ name }) => name));
    const next = rest.findIndex(({ after }) => after.every((name) => names.has(name)));
    if (next === -1)
      throw new Error(`data sets wait for each other: ${rest.map((d) => d.name).join(', ')}`);
    placed.push(...rest.splice(next, 1));
  }
  return placed;
}
