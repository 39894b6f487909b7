import { loadAcceptedRows } from '../datasets/quarantine/decisions.ts';
import { rowHash } from '../datasets/quarantine/store.ts';
import { rejectConflicts } from '../providers/kit/reject-conflicts.ts';
import type { BadRow, Feed, ParsedRow, ParseResult, Provider } from '../providers/provider.ts';
import type { Queryable } from '../storage/db.ts';

export const ALL_ROWS_INVALID = 'no-good-row';

/** Minimum number of invalid rows. If there are fewer, their errors may be unrelated. */
const INVALID_ROWS_MIN = 10;
/**
 * Reasons that mean a row is unreadable. Other reasons mean that the row is readable but not
 * needed.
 */
const UNREADABLE: ReadonlySet<string> = new Set([
  'not-an-object',
  'wrong-type',
  'missing-field',
  'unclean-text',
  'unknown-column',
  'bad-symbol',
  'bad-date',
  'bad-time',
  'bad-number',
  'bad-shape',
  'ambiguous-number',
]);

export interface ValidatedRows {
  rows: readonly ParsedRow[];
  bad: readonly BadRow[];
  /** Rows that exactly repeat an earlier row in the response. */
  repeated: readonly ParsedRow[];
  /** True if no row is readable, so that the response is not counted as a success. */
  isRejected: boolean;
}

/** Separates the rows to store from the rows to quarantine, after applying operators' decisions. */
export async function validateRows(
  db: Queryable,
  { provider, feed }: { provider: Provider; feed: Feed },
  parsed: ParseResult,
): Promise<ValidatedRows> {
  const { rows: unambiguous, bad: invalid } = rejectConflicts(parsed);
  const { first: consistent, repeated } = separateRepeats(unambiguous);
  // Operators' decisions are loaded only if one of the rows can have one.
  const accepted = invalid.some((row) => row.parsed !== undefined)
    ? await loadAcceptedRows(db, { provider: provider.name, feed: feed.name })
    : new Set<string>();
  const { rows, bad } = applyDecisions({ rows: consistent, bad: invalid }, accepted);
  return { rows, bad, repeated, isRejected: areAllRowsInvalid({ ...parsed, rows, bad }) };
}

/** Separates the first row for each key from its repeats, which have the same content. */
function separateRepeats(rows: readonly ParsedRow[]): {
  first: ParsedRow[];
  repeated: ParsedRow[];
} {
  const keys = new Set<string>();
  const first: ParsedRow[] = [];
  const repeated: ParsedRow[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    (keys.has(key) ? repeated : first).push(row);
    keys.add(key);
  }
  return { first, repeated };
}

/**
 * Accepts invalid rows that an operator accepted before, and quarantines the rows in the same
 * response that they replace.
 */
function applyDecisions(
  { rows, bad }: { rows: readonly ParsedRow[]; bad: readonly BadRow[] },
  acceptedHashes: ReadonlySet<string>,
): { rows: ParsedRow[]; bad: BadRow[] } {
  const accepted = new Map<string, ParsedRow>();
  const rejected = bad.filter(({ parsed, row }) => {
    if (parsed === undefined || !acceptedHashes.has(rowHash(row))) return true;
    accepted.set(keyOf(parsed), parsed);
    return false;
  });
  const detail = 'an operator accepted another row of the same response in its place';
  const overruled = rows
    .filter((row) => accepted.has(keyOf(row)))
    .map((row) => invalidRow(row, 'overruled-row', detail));
  const unchanged = rows.filter((row) => !accepted.has(keyOf(row)));
  return { rows: [...unchanged, ...accepted.values()], bad: [...rejected, ...overruled] };
}

/**
 * Returns true if a response has rows but none is readable, as when a source renames a field. The
 * rows are kept with their reasons, but the response must not make its data sets fresh.
 */
function areAllRowsInvalid({ rows, bars, bad }: Pick<ParseResult, 'rows' | 'bars' | 'bad'>) {
  if (rows.length > 0 || (bars?.rows.length ?? 0) > 0 || bad.length < INVALID_ROWS_MIN) {
    return false;
  }
  return bad.every(({ reason }) => UNREADABLE.has(reason));
}

/** Returns a readable row that breaks a rule. An operator may accept it. */
export function invalidRow(row: ParsedRow, reason: string, detail: string): BadRow {
  const { dataset, entityKey, fields, line } = row;
  const place = line === undefined ? {} : { line };
  return { dataset, entityKey, reason, detail, row: fields, parsed: row, ...place };
}

function keyOf({ dataset, entityKey, naturalKey }: ParsedRow): string {
  return JSON.stringify([dataset, entityKey, naturalKey]);
}
