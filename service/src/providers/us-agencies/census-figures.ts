import { atReleases } from './at-releases.ts';
import { normalizeDecimal } from '../../domain/decimal.ts';
import { addMonths, makeLocalDate, yearOf } from '../../domain/local-date.ts';
import { readApiKey } from '../kit/api-key.ts';
import { isList, requireJson } from '../kit/json.ts';
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
import { readSeriesFigures } from './series-figures.ts';
import type { Figure, Point } from './series-values.ts';

export const CENSUS_API_HOST = 'api.census.gov';
export const CENSUS_KEY_SETTING = 'CENSUS_API_KEY';
const PATH = /^\/data\/timeseries\/eits\/(marts|advm3|m3|resconst|ressales|ftd)$/;
const COLUMNS = 'cell_value,data_type_code,category_code,seasonally_adj,time_slot_id';

/** A seasonally adjusted series of the economic indicators, with the events that it gives. */
interface CensusSeries {
  program: string;
  category: string;
  type: string;
  page: string;
  events: readonly { stem: string; figure: Figure }[];
}

const RETAIL = 'https://www.census.gov/retail/sales.html';
const ORDERS = 'https://www.census.gov/manufacturing/m3/index.html';
const CONSTRUCTION = 'https://www.census.gov/construction/nrc/index.html';

const SERIES: readonly CensusSeries[] = [
  {
    program: 'marts',
    category: '44X72',
    type: 'SM',
    page: RETAIL,
    events: [
      { stem: 'us-retail-sales-mom', figure: 'change-of-month' },
      { stem: 'us-retail-sales-yoy', figure: 'change-of-year' },
    ],
  },
  {
    program: 'marts',
    category: '44Y72',
    type: 'SM',
    page: RETAIL,
    events: [{ stem: 'us-core-retail-sales-mom', figure: 'change-of-month' }],
  },
  {
    program: 'advm3',
    category: 'MDM',
    type: 'NO',
    page: ORDERS,
    events: [{ stem: 'us-durable-goods-mom', figure: 'change-of-month' }],
  },
  {
    program: 'advm3',
    category: 'DXT',
    type: 'NO',
    page: ORDERS,
    events: [{ stem: 'us-core-durable-goods-mom', figure: 'change-of-month' }],
  },
  {
    program: 'm3',
    category: 'MTM',
    type: 'NO',
    page: ORDERS,
    events: [{ stem: 'us-factory-orders-mom', figure: 'change-of-month' }],
  },
  {
    program: 'resconst',
    category: 'ASTARTS',
    type: 'TOTAL',
    page: CONSTRUCTION,
    events: [
      { stem: 'us-housing-starts', figure: 'millions-of-thousands' },
      { stem: 'us-housing-starts-mom', figure: 'change-of-month' },
    ],
  },
  {
    program: 'resconst',
    category: 'APERMITS',
    type: 'TOTAL',
    page: CONSTRUCTION,
    events: [
      { stem: 'us-building-permits', figure: 'millions-of-thousands' },
      { stem: 'us-building-permits-mom', figure: 'change-of-month' },
    ],
  },
  {
    program: 'ressales',
    category: 'ASOLD',
    type: 'TOTAL',
    page: 'https://www.census.gov/construction/nrs/index.html',
    events: [
      { stem: 'us-new-home-sales', figure: 'thousands' },
      { stem: 'us-new-home-sales-mom', figure: 'change-of-month' },
    ],
  },
  {
    program: 'ftd',
    category: 'BOPGS',
    type: 'BAL',
    page: 'https://www.census.gov/foreign-trade/index.html',
    events: [{ stem: 'us-trade-balance', figure: 'billions-of-millions' }],
  },
];

/**
 * Figures of the Census Bureau: retail sales, orders, housing and the trade balance, from its
 * interface for economic indicators, which requires a free key. The response has no release date;
 * that comes from the schedule.
 */
export const censusFigures: Feed = {
  name: 'census-figures',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 100] },
  schedule: [
    { name: 'figures', times: atReleases('08:30', '10:00'), scope: 'all', priority: 'prompt' },
  ],
  claims: (response) =>
    response.host === CENSUS_API_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan,
};

function plan(context: PlanContext): FeedRequest[] {
  const key = readApiKey(context, CENSUS_KEY_SETTING);
  if (key === null) return [];
  const since = yearOf(addMonths(context.today, -24));
  return SERIES.filter(({ events }) => events.some(({ stem }) => awaitsFigure(context, stem))).map(
    ({ program, category, type }) => {
      const url = new URL(`https://${CENSUS_API_HOST}/data/timeseries/eits/${program}`);
      url.search = new URLSearchParams({
        get: COLUMNS,
        category_code: category,
        data_type_code: type,
        seasonally_adj: 'yes',
        time: `from ${since}`,
        for: 'us:*',
        key,
      }).toString();
      return agencyRequest(url.href, 'application/json', context);
    },
  );
}

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const [header, ...rows] = isList(body) ? body.filter(isList) : [];
  if (header === undefined || !header.includes('cell_value') || !header.includes('time')) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'the table has no values');
  }
  const records = rows.map((row) => new Map(header.map((name, index) => [name, row[index]])));
  const program = PATH.exec(response.path.split('?')[0] ?? '')?.[1];
  const events = SERIES.filter((series) => series.program === program).flatMap((series) => {
    const points = records.flatMap((record) => pointOf(record, series));
    return series.events.map((event) => ({ ...event, points, sourceUrl: series.page }));
  });
  return readSeriesFigures(response, events);
}

/** Returns the value of a record; empty if it belongs to another series or has no value. */
function pointOf(record: ReadonlyMap<unknown, unknown>, series: CensusSeries): Point[] {
  const isSeries =
    record.get('category_code') === series.category &&
    record.get('data_type_code') === series.type &&
    record.get('seasonally_adj') === 'yes';
  if (!isSeries) return [];
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(String(record.get('time'))) ?? [];
  const start = makeLocalDate(Number(year), Number(month), 1);
  const value = normalizeDecimal(String(record.get('cell_value')).replaceAll(',', ''));
  return start === null || value === null ? [] : [{ length: 'month', start, value }];
}
