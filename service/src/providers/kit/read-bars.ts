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
  /** Returns the entity key for an invalid row, or null if unknown; must not throw. */
  entityKeyOf(row: unknown): string | null;
  /** Returns the line of an operator's file on which a row begins. */
  lineOf?(row: unknown): number | undefined;
  /**
   * Reads one row as a bar. Returns null if the row has no bar. Throws the same errors as row
   * readers.
   */
  read(row: JsonObject): BarObservation | null;
}

/**
 * Uses only the calendar's rules and history, because parsing is pure and ignores operator
 * overrides.
 */
const calendar = marketCalendar();

/**
 * Reads every row as a bar. Invalid bars are kept with their reasons, such as a date without a
 * session: some sources repeat the previous day on a holiday. If two bars for one symbol and date
 * differ, the later bar is invalid; identical repeats are skipped.
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
      const line = loop.lineOf?.(row);
      parsed.bad.push({
        ...badRow({ dataset: 'bars', entityKeyOf: loop.entityKeyOf }, row, error),
        ...(line !== undefined && { line }),
      });
    }
  }
  return parsed;
}

/**
 * Rejects a bar whose high is below its low or whose date has no session. Sessions are checked only
 * from 1970 on, because the calendar is inexact for earlier years, which had Saturday sessions.
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
