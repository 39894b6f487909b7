import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import { monthEnd } from '../../domain/dirty-date.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { monthOf, parseLocalDate, yearOf } from '../../domain/local-date.ts';
import { entityKeyOrNull, readText, required, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { matching, oneOf, readDate, readDecimal, readInstant, wholeNumber } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

type PeriodFields = Pick<CalendarObservation, 'fiscalPeriodEnd' | 'fiscalPeriodPrecision'>;
type DirectColumns = Omit<
  CalendarObservation,
  'kind' | 'dateStatus' | 'epsBasis' | 'epsConsensus' | 'revenueConsensus' | keyof PeriodFields
>;
interface EarningsRow extends DirectColumns {
  dateStatus: 'projected' | 'confirmed' | null;
  epsBasis: 'gaap' | 'adjusted' | 'ffo' | null;
  fiscalPeriodEnd: PeriodFields | null;
}

const TIMES = [
  'time-pre-market',
  'time-after-hours',
  'time-during-market',
  'time-not-supplied',
] as const;
const readTime = oneOf(TIMES);

const COLUMNS: Columns<EarningsRow> = {
  symbol: requireSymbol,
  name: readText,
  date: (row, name) => required(readDate(row, name), name),
  time: (row, name) => readTime(row, name) ?? 'time-not-supplied',
  dateStatus: oneOf(['projected', 'confirmed']),
  fiscalPeriodEnd: readPeriod,
  fiscalYear: wholeNumber(1900, 2100),
  fiscalQuarter: wholeNumber(1, 4),
  epsEstimate: readDecimal,
  eps: readDecimal,
  epsYearAgo: readDecimal,
  epsBasis: oneOf(['gaap', 'adjusted', 'ffo']),
  estimateCount: wholeNumber(0, 1000),
  revenueEstimate: readDecimal,
  revenue: readDecimal,
  currency: matching(/^[A-Z]{3}$/),
  reportedAt: readInstant,
  lastYearReportDate: readDate,
  sourceUrl: matching(/^https?:\/\/[^\s"<>]+$/),
};

/** Past and upcoming earnings reports, one per row; `readme.md` lists the columns. */
export const earnings: Feed = {
  name: 'earnings',
  datasets: ['earnings'],
  claims: (response) => datasetOf(response) === 'earnings',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const parsed = readRows({
    dataset: 'earnings',
    rows: tableRows(response),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: readRow,
  });
  return rejectConflicts(parsed);
}

function readRow(row: JsonObject): ParsedRow<'earnings'> {
  const read = readColumns(row, COLUMNS);
  const { symbol, date, time, dateStatus, epsBasis, fiscalPeriodEnd: period, ...others } = read;
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol: required(symbol ?? null, 'symbol'),
    date: required(date ?? null, 'date'),
    time: time ?? 'time-not-supplied',
    ...others,
    ...(dateStatus && { dateStatus }),
    ...(epsBasis && { epsBasis }),
    ...period,
    ...(period === null && { fiscalPeriodEnd: null }),
  };
  const naturalKey = labelOf(fields) ?? `date:${fields.date}`;
  return { dataset: 'earnings', entityKey: fields.symbol, naturalKey, fields };
}

function labelOf(fields: CalendarObservation): string | null {
  const end = fields.fiscalPeriodEnd ?? null;
  return end === null ? null : periodLabel(end, fields.fiscalPeriodPrecision ?? 'day');
}

/** Reads the last day of the fiscal period, or only its month: `2026-09-26` or `2026-09`. */
function readPeriod(row: JsonObject, name: string): PeriodFields | null {
  const text = readText(row, name);
  if (text === null) return null;
  const month = parseLocalDate(`${text}-01`);
  if (month !== null) {
    const fiscalPeriodEnd = monthEnd({ year: yearOf(month), month: monthOf(month) });
    return { fiscalPeriodEnd, fiscalPeriodPrecision: 'month' };
  }
  const fiscalPeriodEnd = parseLocalDate(text);
  if (fiscalPeriodEnd === null) throw new RowError('bad-date', `${name} is ${text}`);
  return { fiscalPeriodEnd, fiscalPeriodPrecision: 'day' };
}
