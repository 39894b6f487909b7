import { atReleases } from './at-releases.ts';
import type { Vintage } from '../../datasets/economic-events/delayed-releases.ts';
import { normalizeDecimal } from '../../domain/decimal.ts';
import {
  addDays,
  type LocalDate,
  makeLocalDate,
  monthOf,
  yearOf,
} from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { readApiKey } from '../kit/api-key.ts';
import { isJsonObject, isList, type JsonObject, requireJson } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { awaitsFigure } from './awaited.ts';
import { agencyRequest } from './request.ts';
import { readSeriesFigures, type SeriesEvent } from './series-figures.ts';
import { endOf, type Figure, type Point } from './series-values.ts';

export const BEA_API_HOST = 'apps.bea.gov';
export const BEA_KEY_SETTING = 'BEA_API_KEY';
const PATH = /^\/api\/data\/?$/i;
const PERIOD = /^(\d{4})(?:Q([1-4])|M(0[1-9]|1[0-2]))$/;
const YEARS_BACK = 2;
/** The national product is released in the last third of a month. */
const RELEASED_AFTER_DAYS = 20;
/** Usual time from the end of a quarter to its first estimate, and between estimates. */
const ESTIMATE_DAYS = 28;
/** Estimates by the number of months from the end of the quarter to the release. */
const VINTAGES: readonly Vintage[] = ['advance', 'second', 'third'];

/** A line of a table of the national accounts, with the events that it gives. */
interface AccountLine {
  table: string;
  frequency: 'Q' | 'M';
  line: RegExp;
  page: string;
  events: readonly { stem: string; figure: Figure }[];
}

const PRODUCT = 'https://www.bea.gov/data/gdp/gross-domestic-product';
const PRICES = 'https://www.bea.gov/data/personal-consumption-expenditures-price-index';
const INCOME = 'https://www.bea.gov/data/income-saving/personal-income';
const ALL = /^personal consumption expenditures\b/i;
const CORE = /^PCE excluding food and energy\b/i;

const LINES: readonly AccountLine[] = [
  quarterly('T10101', /^gross domestic product\b/i, 'us-gdp-qoq'),
  quarterly('T10107', /^gross domestic product\b/i, 'us-gdp-price-index-qoq'),
  quarterly('T20307', ALL, 'us-pce-prices-qoq'),
  quarterly('T20307', CORE, 'us-core-pce-prices-qoq'),
  {
    table: 'T20804',
    frequency: 'M',
    line: ALL,
    page: PRICES,
    events: [
      { stem: 'us-pce-mom', figure: 'change-of-month' },
      { stem: 'us-pce-yoy', figure: 'change-of-year' },
    ],
  },
  {
    table: 'T20804',
    frequency: 'M',
    line: CORE,
    page: PRICES,
    events: [
      { stem: 'us-core-pce-mom', figure: 'change-of-month' },
      { stem: 'us-core-pce-yoy', figure: 'change-of-year' },
    ],
  },
  {
    table: 'T20600',
    frequency: 'M',
    line: /^personal income\s*$/i,
    page: INCOME,
    events: [{ stem: 'us-personal-income-mom', figure: 'change-of-month' }],
  },
  {
    table: 'T20600',
    frequency: 'M',
    line: ALL,
    page: INCOME,
    events: [{ stem: 'us-personal-spending-mom', figure: 'change-of-month' }],
  },
];

function quarterly(table: string, line: RegExp, stem: string): AccountLine {
  return { table, frequency: 'Q', line, page: PRODUCT, events: [{ stem, figure: 'percent' }] };
}

/**
 * Figures of the national accounts: gross domestic product, prices, income and spending, from the
 * interface of the Bureau of Economic Analysis, which requires a free key. The response has no
 * release date and does not name the estimate of a quarter, which follows from the month.
 */
export const beaFigures: Feed = {
  name: 'bea-figures',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 40] },
  schedule: [
    { name: 'figures', times: atReleases('08:30', '10:00'), scope: 'all', priority: 'prompt' },
  ],
  claims: (response) =>
    response.host === BEA_API_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan,
};

function plan(context: PlanContext): FeedRequest[] {
  const key = readApiKey(context, BEA_KEY_SETTING);
  if (key === null) return [];
  const awaited = LINES.filter(({ events }) =>
    events.some(({ stem }) => awaitsFigure(context, stem)),
  );
  const tables = new Map(awaited.map(({ table, frequency }) => [table, frequency]));
  const year = yearOf(context.today);
  const years = Array.from({ length: YEARS_BACK + 1 }, (_, back) => year - YEARS_BACK + back);
  return [...tables].map(([table, frequency]) => {
    const url = new URL(`https://${BEA_API_HOST}/api/data`);
    url.search = new URLSearchParams({
      UserID: key,
      method: 'GetData',
      DataSetName: 'NIPA',
      TableName: table,
      Frequency: frequency,
      Year: years.join(','),
      ResultFormat: 'JSON',
    }).toString();
    return agencyRequest(url.href, 'application/json', context);
  });
}

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const api = isJsonObject(body) ? body['BEAAPI'] : undefined;
  const results = isJsonObject(api) ? api['Results'] : undefined;
  const data = isJsonObject(results) ? results['Data'] : undefined;
  if (!isList(data)) {
    throw new SourceResponseError('error-answer', 'provider-error', messageOf(api, results));
  }
  const records = data.filter(isJsonObject);
  const observedDate = newYorkDate(response.observedAt);
  const events = LINES.flatMap((line): SeriesEvent[] => {
    const points = pointsOf(records, line);
    return line.events.map((event) => ({
      ...event,
      points,
      sourceUrl: line.page,
      ...(line.frequency === 'Q' && { estimateOf: (newest) => estimateAt(newest, observedDate) }),
    }));
  });
  return readSeriesFigures(response, events);
}

/** Returns the values of a line. A line whose words occur several times is the first of them. */
function pointsOf(records: readonly JsonObject[], { table, line }: AccountLine): Point[] {
  const matches = records.filter(
    ({ TableName, LineDescription }) =>
      TableName === table && typeof LineDescription === 'string' && line.test(LineDescription),
  );
  const first = matches[0]?.['LineNumber'];
  return matches
    .filter(({ LineNumber }) => LineNumber === first)
    .flatMap(({ TimePeriod, DataValue }): Point[] => {
      const [, year, quarter, month] = PERIOD.exec(String(TimePeriod)) ?? [];
      const number = quarter === undefined ? Number(month) : Number(quarter) * 3 - 2;
      const start = makeLocalDate(Number(year), number, 1);
      if (start === null) return [];
      const value = normalizeDecimal(String(DataValue).replaceAll(',', ''));
      return [{ length: quarter === undefined ? 'month' : 'quarter', start, value }];
    });
}

/** Returns the estimate that was the newest on the day. Throws a `RowError` after the third one. */
function estimateAt(newest: Point, observedDate: LocalDate): { vintage: Vintage; date: LocalDate } {
  const end = endOf(newest);
  const released = addDays(observedDate, -RELEASED_AFTER_DAYS);
  const months = (yearOf(released) - yearOf(end)) * 12 + monthOf(released) - monthOf(end);
  const vintage = VINTAGES[months - 1];
  if (vintage === undefined) {
    throw new RowError('unknown-estimate', `${months} months after the end of the quarter`);
  }
  return { vintage, date: addDays(end, ESTIMATE_DAYS * months) };
}

/** Returns the message of an error response, such as an invalid key. */
function messageOf(...parts: readonly unknown[]): string {
  for (const part of parts) {
    const error = isJsonObject(part) ? part['Error'] : undefined;
    const message = isJsonObject(error) ? error['APIErrorDescription'] : undefined;
    if (typeof message === 'string') return message.slice(0, 200);
  }
  return 'the response has no data';
}
