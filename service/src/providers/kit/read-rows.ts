import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { BadRow, DatasetName, ParsedRow, ParseResult } from '../provider.ts';
import { toStorableText } from './clean-text.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

export interface RowLoop<Row extends ParsedRow> {
  dataset: Row['dataset'];
  rows: readonly unknown[];
  /** Returns the entity key for an invalid row, or null if unknown; must not throw. */
  entityKeyOf(row: unknown): string | null;
  /** Reads one row as an observation; throws `RowError` or `DirtyValueError` if it is invalid. */
  read(row: JsonObject): Row;
}

/**
 * Reads every row. Valid rows become observations; invalid rows are kept with their reasons and
 * never affect the valid ones. `rows.length + bad.length` in the result equals the number of input
 * rows.
 */
export function readRows<Row extends ParsedRow>(loop: RowLoop<Row>): ParseResult<Row> {
  const parsed: ParseResult<Row> = { rows: [], bad: [] };
  for (const row of loop.rows) {
    try {
      if (!isJsonObject(row)) throw new RowError('not-an-object', `the row is a ${typeof row}`);
      parsed.rows.push(loop.read(row));
    } catch (error) {
      parsed.bad.push(badRow(loop, row, error));
    }
  }
  return parsed;
}

/** Concatenates several results. */
export function joinParsed<Row extends ParsedRow>(
  parts: readonly ParseResult<Row>[],
): ParseResult<Row> {
  return {
    rows: parts.flatMap((part) => part.rows),
    bad: parts.flatMap((part) => part.bad),
  };
}

/** Returns an invalid row with the error's reason. Rethrows errors that are not about the row. */
export function badRow(
  source: { dataset: DatasetName; entityKeyOf(row: unknown): string | null },
  row: unknown,
  error: unknown,
): BadRow {
  const entityKey = source.entityKeyOf(row);
  const reason = reasonOf(error);
  if (reason === null || !(error instanceof Error)) throw error;
  return {
    dataset: source.dataset,
    entityKey,
    reason,
    detail: toStorableText(error.message),
    row: toStorable(row),
    ...(error instanceof RowError && error.cell !== null && { cell: error.cell }),
  };
}

/** Returns the code of an error that is about a row, or null for any other error. */
export function reasonOf(error: unknown): string | null {
  if (error instanceof RowError) return error.reason;
  return error instanceof DirtyValueError ? `bad-${error.kind}` : null;
}

/**
 * Returns a storable copy. Its depth is bounded because `requireJson` rejects deeply nested bodies.
 */
function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toStorableText(key), toStorable(inner)]),
  );
}

/**
 * Adds an invalid row `answer-cut-off` for the rows missing from a truncated response, since
 * nothing else would show that they are missing.
 */
export function withTruncatedRow(
  parsed: ParseResult,
  source: { dataset: DatasetName; detail: string },
): ParseResult {
  const rest: BadRow = { ...source, entityKey: null, reason: 'answer-cut-off', row: null };
  return { ...parsed, bad: [...parsed.bad, rest] };
}
