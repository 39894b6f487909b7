import type { CalendarObservation, SessionMarker } from '../../datasets/earnings/observation.ts';
import { monthEnd, parseMonthYear, parseSlashDate } from '../../domain/dirty-date.ts';
import { parseCount, parseDollars, parseEpsDollars } from '../../domain/dirty-number.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { positiveOrNull, readText, readWith, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow, QuoteTick } from '../provider.ts';

/** Column names of a calendar row. */
export interface CalendarColumns {
  symbol: string;
  name: string;
  time: string;
  marketCap: string;
  period: string;
  estimate: string;
  estimateCount: string;
  eps: string;
  yearAgoEps: string;
  yearAgoDate: string;
}

const MARKERS: ReadonlyMap<string | null, SessionMarker> = new Map([
  ['time-pre-market', 'time-pre-market'],
  ['time-after-hours', 'time-after-hours'],
  ['time-not-supplied', 'time-not-supplied'],
  [null, 'time-not-supplied'],
]);

/**
 * Reads a row of the earnings calendar. Rows for future dates have the prior-year figures, and rows
 * for past dates have the result. The keys in the row determine its form, since the source serves
 * today's rows in the future form all day. The source's own surprise is ignored because the service
 * computes it.
 */
export function readCalendarRow(
  row: JsonObject,
  date: LocalDate,
  columns: CalendarColumns,
): ParsedRow<'earnings'> {
  const symbol = requireSymbol(row, columns.symbol);
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    date,
    time: readMarker(row, columns.time),
  };
  if (columns.name in row) fields.name = readText(row, columns.name);
  if (columns.estimate in row) {
    fields.epsEstimate = readWith(row, columns.estimate, parseEpsDollars);
  }
  if (columns.estimateCount in row) {
    fields.estimateCount = readWith(row, columns.estimateCount, parseCount);
  }
  if (columns.eps in row) fields.eps = readWith(row, columns.eps, parseEpsDollars);
  if (columns.yearAgoEps in row) {
    fields.epsYearAgo = readWith(row, columns.yearAgoEps, parseEpsDollars);
  }
  if (columns.yearAgoDate in row) {
    fields.lastYearReportDate = readWith(row, columns.yearAgoDate, parseSlashDate);
  }
  const naturalKey = readPeriod(row, columns.period, fields) ?? `date:${date}`;
  const quote = readMarketCap(row, columns.marketCap, symbol);
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields, ...(quote && { quote }) };
}

/** Sets the fiscal period, of which only the month is known, and returns its label. */
function readPeriod(row: JsonObject, key: string, fields: CalendarObservation): string | null {
  if (!(key in row)) return null;
  const month = readWith(row, key, parseMonthYear);
  fields.fiscalPeriodEnd = month === null ? null : monthEnd(month);
  if (fields.fiscalPeriodEnd === null) return null;
  fields.fiscalPeriodPrecision = 'month';
  return periodLabel(fields.fiscalPeriodEnd, 'month');
}

function readMarker(row: JsonObject, key: string): SessionMarker {
  const text = readText(row, key);
  const marker = MARKERS.get(text);
  if (marker === undefined) throw new RowError('bad-marker', `${key} is ${JSON.stringify(text)}`);
  return marker;
}

function readMarketCap(row: JsonObject, key: string, symbol: string): QuoteTick | null {
  const marketCap = positiveOrNull(readWith(row, key, parseDollars), key);
  return marketCap === null ? null : { symbol, marketCap };
}
