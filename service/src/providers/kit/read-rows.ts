import type { ObservedDataset } from '../../datasets/observations.ts';
import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { BadRow, DatasetName, ParseResult, ParsedRow } from '../provider.ts';
import { toStorableText } from './clean-text.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

export interface RowLoop<D extends ObservedDataset> {
  dataset: D;
  rows: readonly unknown[];
  /** Whom a bad row is about, as far as that can be told; must not throw. */
  subjectOf(row: unknown): string | null;
  /** One row to one observation; throws `RowError` or `DirtyValueError` for a bad row. */
  read(row: JsonObject): ParsedRow<D>;
}

/**
 * Reads every row: a good one becomes an observation, a bad one is kept with its reason and never
 * costs the others. `rows.length + bad.length` of the result is the number of rows given.
 */
export function readRows<D extends ObservedDataset>(loop: RowLoop<D>): ParseResult<D> {
  const parsed: ParseResult<D> = { rows: [], bad: [] };
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
export function joinParsed(parts: readonly ParseResult[]): ParseResult {
  return {
    rows: parts.flatMap((part) => part.rows),
    bad: parts.flatMap((part) => part.bad),
  };
}

/** The record of a bad row. Rethrows what is not a matter of the row. */
export function badRow(
  about: { dataset: DatasetName; subjectOf(row: unknown): string | null },
  row: unknown,
  error: unknown,
): BadRow {
  const subject = about.subjectOf(row);
  const reason = reasonOf(error);
  if (reason === null || !(error instanceof Error)) throw error;
  return {
    dataset: about.dataset,
    subject,
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
