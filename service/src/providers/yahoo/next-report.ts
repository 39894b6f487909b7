import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { sessionOf } from '../../domain/market/session-of.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParseResult, ParsedRow } from '../provider.ts';
import { currentQuarter, type Estimates, type Quarter, readEstimates } from './estimates.ts';
import type { Modules } from './modules.ts';
import { dayOf, isDateOnly, readFigure, readTimestamp } from './values.ts';

/** The quarter that ended before the day of a report; a day later than this is the next one's. */
const LAG_DAYS_MAX = 90;

/**
 * The day of the next report and its consensus: at most one row, and the quarter that it is about
 * where the same page tells it.
 */
export function readNextReport(modules: Modules): { next: ParseResult; period: LocalDate | null } {
  const events = modules.module('calendarEvents')?.['earnings'] ?? eventsOfChart(modules);
  const dates = isJsonObject(events) ? events['earningsDate'] : null;
  const hasDate = Array.isArray(dates) && dates.length > 0;
  const next = readRows({
    dataset: 'earnings',
    rows: hasDate ? [events] : [],
    entityKeyOf: () => modules.symbol,
    read: (row) => readReport(row, modules),
  });
  const [row] = next.rows;
  const period = row?.fields.kind === 'calendar' ? row.fields.fiscalPeriodEnd : null;
  return { next, period: period ?? null };
}

/**
 * The page on earnings has the day among the figures of its chart. The results beside it are of
 * quarters named by the calendar, of which nothing tells the company's own: they are left aside.
 */
function eventsOfChart(modules: Modules): JsonObject | null {
  const page = modules.module('earnings');
  const chart = page?.['earningsChart'];
  if (!isJsonObject(chart)) return null;
  const { earningsDate, isEarningsDateEstimate, currentQuarterEstimate } = chart;
  const hasEstimate = page?.['financialCurrency'] === 'USD' && currentQuarterEstimate != null;
  return {
    earningsDate,
    isEarningsDateEstimate,
    ...(hasEstimate && { earningsAverage: currentQuarterEstimate }),
  };
}

function readReport(row: JsonObject, modules: Modules): ParsedRow<'earnings'> {
  const { symbol, observedAt } = modules;
  const schedule = readSchedule(row['earningsDate'], row['isEarningsDateEstimate']);
  const quarter = quarterOf(currentQuarter(modules), schedule.date);
  const fields: CalendarObservation = { kind: 'calendar', symbol, ...schedule };
  if (quarter !== null) {
    fields.fiscalPeriodEnd = quarter.end;
    fields.fiscalPeriodPrecision = 'month';
  }
  // Of a day that has passed nobody can say which report the consensus is about.
  const isPast = observedAt > 0 && schedule.date < newYorkDate(observedAt);
  if (quarter !== null || !isPast) Object.assign(fields, figuresOf(row, quarter));
  const naturalKey = quarter === null ? `date:${schedule.date}` : periodLabel(quarter.end, 'month');
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

type ReportSchedule = Pick<CalendarObservation, 'date' | 'time' | 'dateStatus'>;

/**
 * Two moments are a window in which the report is expected: its first day stands, as a projection.
 * One moment may be marked as an estimate too; its time of day is then made up and says nothing.
 */
export function readSchedule(timestamps: unknown, isEstimate: unknown): ReportSchedule {
  const list = (Array.isArray(timestamps) ? timestamps : [timestamps]).map(readTimestamp);
  const [first = null, last = first] = list;
  const at = required(first, 'earningsDate');
  if (last !== null && last < at)
    throw new RowError('bad-date', 'a window that ends before it begins');
  const date = dayOf(at);
  if (last !== at || isEstimate === true) {
    return { date, time: 'time-not-supplied', dateStatus: 'projected' };
  }
  const time = isDateOnly(at) ? 'time-not-supplied' : sessionOf(at);
  return isEstimate === false ? { date, time, dateStatus: 'confirmed' } : { date, time };
}

function quarterOf(quarter: Quarter | null, date: LocalDate): Quarter | null {
  if (quarter === null) return null;
  const lag = daysBetween(quarter.end, date);
  return lag > 0 && lag <= LAG_DAYS_MAX ? quarter : null;
}

/** The consensus beside the day; the page on estimates fills what it lacks and tells currencies. */
function figuresOf(row: JsonObject, quarter: Quarter | null): Estimates {
  const base: Estimates = { epsBasis: 'adjusted' };
  if ('earningsAverage' in row) base.epsEstimate = readFigure(row['earningsAverage']);
  if ('revenueAverage' in row) base.revenueEstimate = readFigure(row['revenueAverage']);
  return readEstimates(base, quarter);
}
