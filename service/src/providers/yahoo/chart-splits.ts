import type { SplitObservation } from '../../datasets/splits/observation.ts';
import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import type { BadRow, ParsedRow } from '../provider.ts';
import { readTimestamp } from './values.ts';

export type SplitRow = ParsedRow<'splits'>;

export interface ParsedSplits {
  rows: SplitRow[];
  bad: BadRow[];
  /** Dates of the rejected splits, which cannot be undone in earlier dividend amounts. */
  unreadDates: readonly (LocalDate | null)[];
}

const SHARES_MAX = 1_000_000;
/**
 * Splits and stock dividends have at least one small number in the ratio. Two large numbers
 * indicate a computed factor.
 */
const SPIN_OFF_MIN = 100;

/**
 * Reads a chart's `events.splits`, dated by the first session after the split. The source lists
 * price adjustments for spin-offs among them, as 1281 for 1000; those are rejected as
 * `not-a-split`.
 */
export function readSplits(events: unknown, symbol: string): ParsedSplits {
  const parsed = readRows({
    dataset: 'splits',
    rows: isJsonObject(events) ? Object.values(events) : [],
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol),
  });
  const { rows, bad } = rejectConflicts(parsed);
  return { rows, bad, unreadDates: bad.map(dateOfBadRow) };
}

/** Returns the date of an invalid row; null if the date itself is unreadable. */
function dateOfBadRow({ row, parsed }: BadRow): LocalDate | null {
  if (parsed?.dataset === 'splits') return parsed.fields.date;
  try {
    const at = isJsonObject(row) ? readTimestamp(row['date']) : null;
    return at === null ? null : newYorkDate(at);
  } catch (error) {
    if (error instanceof DirtyValueError) return null;
    throw error;
  }
}

function readRow(row: JsonObject, symbol: string): SplitRow {
  const date = newYorkDate(required(readTimestamp(row['date']), 'date'));
  const numerator = readShares(row, 'numerator');
  const denominator = readShares(row, 'denominator');
  const divisor = greatestDivisor(numerator, denominator);
  if (Math.min(numerator, denominator) / divisor > SPIN_OFF_MIN) {
    throw new RowError('not-a-split', `${numerator} for ${denominator} is a spin-off adjustment`);
  }
  const fields: SplitObservation = { symbol, date, numerator, denominator };
  return { dataset: 'splits', entityKey: symbol, naturalKey: date, fields };
}

function readShares(row: JsonObject, key: string): number {
  const value = row[key];
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= SHARES_MAX) {
    return value;
  }
  throw new RowError('bad-number', `${key} is not a number of shares`);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
