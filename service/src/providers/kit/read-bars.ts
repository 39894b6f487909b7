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
  /** Whom a bad row is about, as far as that can be told; must not throw. */
  entityKeyOf(row: unknown): string | null;
  /** One row to one bar, null for a row without one; throws as readers of rows do. */
  read(row: JsonObject): BarObservation | null;
}

/** By rules and history alone: what reads answers is pure, and sees no operator's overrides. */
const calendar = marketCalendar();

/**
 * Reads every row as a bar; bad ones are kept with their reasons, such as one of a day without a
 * session: sources repeat the day before under a holiday now and then. Of two bars of one symbol and day
 * that differ the later is bad; one that repeats another is left out.
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

/** Where the calendar is exact: before 1970 it is not, and there were sessions on Saturdays. */
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
