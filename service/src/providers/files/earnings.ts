import type {
  CalendarObservation,
  EarningsObservation,
  FiguresObservation,
} from '../../datasets/earnings/observation.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { entityKeyOrNull, readText, required } from '../kit/fields.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow } from '../provider.ts';
import {
  accepting,
  oneOf,
  type PeriodEnd,
  readCurrency,
  readDate,
  readDecimal,
  readInstant,
  readPeriodEnd,
  readUrl,
  requireSymbol,
  wholeNumber,
} from './cells.ts';
import { fileFeed } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

type DirectColumn =
  | 'symbol'
  | 'name'
  | 'fiscalYear'
  | 'fiscalQuarter'
  | 'epsEstimate'
  | 'eps'
  | 'epsYearAgo'
  | 'estimateCount'
  | 'revenueEstimate'
  | 'revenue'
  | 'currency'
  | 'reportedAt'
  | 'lastYearReportDate'
  | 'sourceUrl';

interface EarningsCells extends Pick<CalendarObservation, DirectColumn> {
  date: LocalDate | null;
  time: CalendarObservation['time'] | null;
  dateStatus: 'projected' | 'confirmed' | null;
  epsBasis: 'gaap' | 'adjusted' | 'ffo' | null;
  fiscalPeriodEnd: PeriodEnd | null;
}

const TIMES = [
  'time-pre-market',
  'time-after-hours',
  'time-during-market',
  'time-not-supplied',
] as const;

const readTime = oneOf(TIMES, {
  bmo: 'time-pre-market',
  premarket: 'time-pre-market',
  beforeopen: 'time-pre-market',
  beforemarket: 'time-pre-market',
  beforemarketopen: 'time-pre-market',
  amc: 'time-after-hours',
  afterhours: 'time-after-hours',
  afterclose: 'time-after-hours',
  aftermarket: 'time-after-hours',
  aftermarketclose: 'time-after-hours',
  postmarket: 'time-after-hours',
  dmh: 'time-during-market',
  duringmarket: 'time-during-market',
  duringmarkethours: 'time-during-market',
  intraday: 'time-during-market',
  notsupplied: 'time-not-supplied',
  unknown: 'time-not-supplied',
  tns: 'time-not-supplied',
});

const COLUMNS: Columns<EarningsCells> = {
  symbol: requireSymbol,
  date: readDate,
  time: accepting(`bmo, amc, dmh or ${readTime.accepted}`, readTime),
  name: readText,
  dateStatus: oneOf(['projected', 'confirmed']),
  fiscalPeriodEnd: readPeriodEnd,
  fiscalYear: wholeNumber(1900, 2100),
  fiscalQuarter: accepting('a quarter from 1 to 4, or Q1 to Q4', (row, name) => {
    const cell = row[name];
    const quarter = typeof cell === 'string' ? cell.trim().replace(/^q(?=\d$)/i, '') : cell;
    return wholeNumber(1, 4)({ [name]: quarter }, name);
  }),
  epsEstimate: readDecimal,
  eps: readDecimal,
  epsYearAgo: readDecimal,
  epsBasis: oneOf(['gaap', 'adjusted', 'ffo'], { nongaap: 'adjusted' }),
  estimateCount: wholeNumber(0, 1000),
  revenueEstimate: readDecimal,
  revenue: readDecimal,
  currency: readCurrency,
  reportedAt: readInstant,
  lastYearReportDate: readDate,
  sourceUrl: readUrl,
};

/** Past and upcoming earnings reports, one per row; `readme.md` lists the columns. */
export const earnings = fileFeed({
  dataset: 'earnings',
  columns: COLUMNS,
  entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
  toRow,
});

function toRow(cells: Partial<EarningsCells>): ParsedRow<'earnings'> {
  const symbol = required(cells.symbol ?? null, 'symbol');
  const { date = null } = cells;
  const { fields, naturalKey } =
    date === null ? undatedReport(cells, symbol) : datedReport(cells, symbol, date);
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

interface KeyedFields {
  fields: EarningsObservation;
  naturalKey: string;
}

function datedReport(cells: Partial<EarningsCells>, symbol: string, date: LocalDate): KeyedFields {
  const { time, dateStatus, epsBasis, fiscalPeriodEnd: period, ...others } = cells;
  const fields: CalendarObservation = {
    ...others,
    kind: 'calendar',
    symbol,
    date,
    time: time ?? 'time-not-supplied',
    ...(dateStatus && { dateStatus }),
    ...(epsBasis && { epsBasis }),
    ...period,
    ...(period === null && { fiscalPeriodEnd: null }),
  };
  return { fields, naturalKey: period ? labelOf(period) : `date:${date}` };
}

/** Columns that describe the report itself and would be lost without its date. */
const REPORT_COLUMNS = ['time', 'dateStatus', 'reportedAt', 'sourceUrl'] as const;

/** Figures for a quarter without the report date. They join the report of that quarter. */
function undatedReport(cells: Partial<EarningsCells>, symbol: string): KeyedFields {
  const { fiscalPeriodEnd: period, epsEstimate, eps, epsYearAgo, epsBasis } = cells;
  const { estimateCount, revenueEstimate, revenue } = cells;
  const lost = REPORT_COLUMNS.find((name) => cells[name] != null);
  if (!period) throw new RowError('missing-field', 'neither date nor fiscalPeriodEnd has a value');
  if (lost !== undefined) throw new RowError('missing-field', `date has no value, ${lost} has one`);
  const fields: FiguresObservation = {
    kind: 'figures',
    symbol,
    ...period,
    ...(epsEstimate !== undefined && { epsEstimate }),
    ...(eps !== undefined && { eps }),
    ...(epsYearAgo !== undefined && { epsYearAgo }),
    ...(epsBasis && { epsBasis }),
    ...(estimateCount !== undefined && { estimateCount }),
    ...(revenueEstimate !== undefined && { revenueEstimate }),
    ...(revenue !== undefined && { revenue }),
  };
  return { fields, naturalKey: `figures:${labelOf(period)}` };
}

function labelOf({ fiscalPeriodEnd, fiscalPeriodPrecision }: PeriodEnd): string {
  return periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision);
}
