import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { sessionOf } from '../../domain/market/session-of.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow, ParseResult } from '../provider.ts';
import { readRange, withTrend } from './consensus.ts';
import { currentQuarter, type Estimates, type Quarter, readEstimates } from './estimates.ts';
import type { Modules } from './modules.ts';
import { dayOf, isDateOnly, readFigure, readTimestamp } from './values.ts';

/**
 * Maximum days from the end of a quarter to its report; a later date belongs to the next quarter's
 * report.
 */
const LAG_DAYS_MAX = 90;

/**
 * Returns the next report date with its consensus, as one row at most, and its quarter if the page
 * states it.
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
 * Returns the earnings module's chart, which contains the report date. Its results are ignored
 * because they are labeled by calendar quarter, not by the company's fiscal quarter.
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
  // If the date has passed, the consensus may be for the following report.
  const isPast = observedAt > 0 && schedule.date < newYorkDate(observedAt);
  if (quarter !== null || !isPast) Object.assign(fields, figuresOf(row, quarter));
  const naturalKey = quarter === null ? `date:${schedule.date}` : periodLabel(quarter.end, 'month');
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

type ReportSchedule = Pick<CalendarObservation, 'date' | 'time' | 'dateStatus'>;

/**
 * Reads the report date. Two timestamps mean that the report is expected between them: the first
 * day is used, as a projection. A single timestamp may also be marked as an estimate, in which case
 * its time of day is meaningless.
 */
export function readSchedule(timestamps: unknown, isEstimate: unknown): ReportSchedule {
  const list = (Array.isArray(timestamps) ? timestamps : [timestamps]).map(readTimestamp);
  const [first = null, last = first] = list;
  const at = required(first, 'earningsDate');
  if (last !== null && last < at)
    throw new RowError('bad-date', 'the window ends before it begins');
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

/**
 * Returns the consensus next to the date, with missing values and currencies from the estimates
 * module.
 */
function figuresOf(row: JsonObject, quarter: Quarter | null): Estimates {
  const base: Estimates = {};
  if ('earningsAverage' in row) base.epsEstimate = readFigure(row['earningsAverage']);
  if ('revenueAverage' in row) base.revenueEstimate = readFigure(row['revenueAverage']);
  const eps = readRange(row, 'earnings');
  if (eps !== undefined) base.epsConsensus = withTrend(eps, {});
  const revenue = readRange(row, 'revenue');
  if (revenue !== undefined) base.revenueConsensus = revenue;
  return readEstimates(base, quarter);
}
