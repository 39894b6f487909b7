import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { BadRow, DatasetName, ParseResult, ParsedRow } from '../provider.ts';
import { toStorableText } from './clean-text.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

export interface RowLoop<Row extends ParsedRow> {
  dataset: Row['dataset'];
  rows: readonly unknown[];
  /** Whom a bad row is about, as far as that can be told; must not throw. */
  entityKeyOf(row: unknown): string | null;
  /** One row to one observation; throws `RowError` or `DirtyValueError` for a bad row. */
  read(row: JsonObject): Row;
}

/**
 * Reads every row: a good one becomes an observation, a bad one is kept with its reason and never
 * costs the others. `rows.length + bad.length` of the result is the number of rows given.
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

/** One result from several, in order. */
export function joinParsed<Row extends ParsedRow>(
  parts: readonly ParseResult<Row>[],
): ParseResult<Row> {
  return {
    rows: parts.flatMap((part) => part.rows),
    bad: parts.flatMap((part) => part.bad),
  };
}

/** The record of a bad row. Rethrows what is not a matter of the row. */
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
  };
}

function reasonOf(error: unknown): string | null {
  if (error instanceof RowError) return error.reason;
  return error instanceof DirtyValueError ? `bad-${error.kind}` : null;
}

/** A copy whose texts can be stored. Its depth is bounded: `requireJson` refuses deep bodies. */
function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toStorableText(key), toStorable(inner)]),
  );
}

/**
 * What was read of an answer that holds not all of its rows, with a bad row `answer-cut-off` in the
 * place of those it leaves out: nobody else would tell that they are missing.
 */
export function withTruncatedRow(
  parsed: ParseResult,
  source: { dataset: DatasetName; detail: string },
): ParseResult {
  const rest: BadRow = { ...source, entityKey: null, reason: 'answer-cut-off', row: null };
  return { ...parsed, bad: [...parsed.bad, rest] };
}
