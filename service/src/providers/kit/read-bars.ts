import type { BarObservation, BarObservations } from '../../datasets/bars/observation.ts';
import { compareDecimals } from '../../domain/decimal.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import type { ParseResult } from '../provider.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { badRow } from './read-rows.ts';
import { RowError } from './row-error.ts';
import { canonicalJson } from './canonical-json.ts';

export interface BarLoop extends Omit<BarObservations, 'rows'> {
  rows: readonly unknown[];
  /** The entity key of an invalid row, if known; must not throw. */
  entityKeyOf(row: unknown): string | null;
  /** Reads one row as a bar; null if the row has none. Throws like row readers do. */
  read(row: JsonObject): BarObservation | null;
}

/** Rules and history only: parsing is pure and sees no operator overrides. */
const calendar = marketCalendar();

/**
 * Reads every row as a bar. Invalid bars are kept with their reasons, such as a date without a
 * session: some sources repeat the previous day on a holiday. If two bars of one symbol and date
 * differ, the later one is invalid; identical repeats are skipped.
 */
export function readBars({ rows, list, isAdjusted, ...loop }: BarLoop): ParseResult & {
  bars: BarObservations;
} {
  const barByKey = new Map<string, BarObservation>();
  const parsed = {
    rows: [],
    bad: [] as ParseResult['bad'],
    bars: { list, isAdjusted, rows: [] as BarObservation[] },
  };
  for (const row of rows) {
    try {
      if (!isJsonObject(row)) throw new RowError('not-an-object', `the row is a ${typeof row}`);
      const bar = loop.read(row);
      if (bar === null) continue;
      rejectAbsurdBar(bar);
      const key = `${bar.symbol} ${bar.date}`;
      const earlier = barByKey.get(key);
      if (earlier !== undefined && canonicalJson(earlier) !== canonicalJson(bar)) {
        throw new RowError('conflicting-duplicate', `a second bar of ${key} differs`);
      }
      if (earlier === undefined) parsed.bars.rows.push(bar);
      barByKey.set(key, bar);
    } catch (error) {
      parsed.bad.push(badRow({ dataset: 'bars', entityKeyOf: loop.entityKeyOf }, row, error));
    }
  }
  return parsed;
}

/**
 * Checks sessions only where the calendar is exact: before 1970 it is not, and there were Saturday
 * sessions.
 */
function rejectAbsurdBar({ date, high, low }: BarObservation): void {
  if (high !== null && low !== null && compareDecimals(high, low) < 0) {
    throw new RowError('bad-range', `the high ${high} is below the low ${low}`);
  }
  if (date === null) return;
  const { status, reason, basis } = calendar.day(date);
  if (status === 'closed' && basis === 'published') {
    throw new RowError('no-session', `no session on ${date}: ${reason}`);
  }
}
