import type { Clock } from '../../platform/clock.ts';
import { provider as filesProvider } from '../../providers/files/index.ts';
import type { ParsedRow, SourceResponse } from '../../providers/provider.ts';
import { rejectConflicts } from '../../providers/kit/reject-conflicts.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import { forward } from '../../storage/forward.ts';
import { createIngest } from '../ingest.ts';
import {
  countQuarantined,
  countRows,
  emptyReport,
  type ResponseReport,
  type RowResult,
} from '../report.ts';
import { findOverruled, type OverruledValue } from './overruled-values.ts';

/** The result of importing one file. */
export interface ImportResult {
  report: ResponseReport;
  /** In the order of the file, except for bars, which are only counted if they are valid. */
  rows: RowResult[];
  /** Values of stored rows that the API does not show, because another value takes precedence. */
  overruled: OverruledValue[];
}

export interface ImportDeps {
  db: Db;
  clock: Clock;
}

/** Ingests an operator's file. */
export async function importFile(
  { db, clock }: ImportDeps,
  response: SourceResponse,
): Promise<ImportResult> {
  const rows: RowResult[] = [];
  const ingest = createIngest({
    db,
    clock,
    providers: [filesProvider],
    onCommit: () => undefined,
  });
  const report = await ingest(response, { onRow: (result) => rows.push(result) });
  const overruled = await findOverruled(db, rows.flatMap(storedRow));
  return { report, rows: inFileOrder(rows), overruled };
}

/**
 * Returns the result that importing the file would have, and changes nothing. Everything runs in one
 * transaction, which is rolled back, so other writers wait until the end.
 */
export async function previewFile(
  deps: ImportDeps,
  response: SourceResponse,
): Promise<ImportResult> {
  let result: ImportResult | null = null;
  try {
    await deps.db.transaction(async (tx) => {
      result = await importFile({ ...deps, db: insideTransaction(deps.db, tx) }, response);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  if (result === null) throw new Error('the preview has no result');
  return result;
}

/** Returns the result of importing the file into an empty store. Does not merge rows. */
export function previewWithoutStore(response: SourceResponse): ImportResult {
  const feed = filesProvider.feeds.find((candidate) => candidate.claims(response));
  if (feed === undefined) throw new Error('the kind of the file is unclear');
  const { rows, bad, bars } = rejectConflicts(feed.parse(response));
  const counts = emptyReport(feed.name, 'ingested');
  countRows(counts, 'new', rows.length + (bars?.rows.length ?? 0));
  for (const { reason } of bad) countQuarantined(counts, reason);
  const results = [
    ...rows.map((row): RowResult => ({ outcome: 'new', row })),
    ...bad.map((row): RowResult => ({ outcome: 'quarantined', row })),
  ];
  return {
    report: { provider: 'files', feed: feed.name, datasets: [counts], isDamaged: false },
    rows: inFileOrder(results),
    overruled: [],
  };
}

function inFileOrder(rows: readonly RowResult[]): RowResult[] {
  return rows.toSorted((a, b) => (a.row.line ?? 0) - (b.row.line ?? 0));
}

/** Thrown to roll back the transaction of a preview. */
class RolledBack extends Error {}

/** Returns a store whose transactions are parts of an open transaction. */
function insideTransaction(db: Db, tx: Transaction): Db {
  return forward(db, {
    query: (...args) => tx.query(...args),
    transaction: (work) => work(tx),
  });
}

function storedRow(result: RowResult): ParsedRow[] {
  return result.outcome === 'quarantined' ? [] : [result.row];
}
