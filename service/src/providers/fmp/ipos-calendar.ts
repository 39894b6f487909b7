import { daily } from '../../domain/market/due-times.ts';
import type { IpoObservation } from '../../datasets/ipos/observation.ts';
import { foldCompanyName } from '../../domain/company-name.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { addDays } from '../../domain/local-date.ts';
import { positiveOrNull, readRaw, readText, required } from '../kit/fields.ts';
import {
  ipoPrices,
  isToBeAnnounced,
  type PriceRange,
  readIpoStage,
  readPriceRange,
} from '../kit/ipo-fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type {
  Feed,
  FeedRequest,
  ParsedRow,
  ParseResult,
  PlanContext,
  SourceResponse,
} from '../provider.ts';
import { readList } from './response-body.ts';
import { requireListedSymbol } from './listed-symbol.ts';
import { apiRequests, HOST } from './request.ts';

const DAYS_BACK = 30;
const DAYS_AHEAD = 45;

/**
 * `ipos-calendar?from=&to=`: deals by the date of their latest stage. The source assigns them no
 * key.
 */
export const iposCalendar: Feed = {
  name: 'ipos-calendar',
  datasets: ['ipos'],
  schedule: [{ name: 'sweep', times: daily('03:35'), scope: 'all' }],
  claims: (response) =>
    response.host === HOST && /^\/stable\/ipos-calendar(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const rows = readList(response);
  return readRows({ dataset: 'ipos', rows, entityKeyOf, read: readRow });
}

function plan(context: PlanContext): FeedRequest[] {
  const { today } = context;
  const span = `from=${addDays(today, -DAYS_BACK)}&to=${addDays(today, DAYS_AHEAD)}`;
  return apiRequests(context, [`ipos-calendar?${span}`]);
}

/** `marketCap` is ignored because it is the value of the company, not of the offering. */
function readRow(row: JsonObject): ParsedRow<'ipos'> {
  const companyName = required(readText(row, 'company'), 'company');
  const subject = required(foldCompanyName(companyName), 'company');
  const step = readIpoStage(row, 'actions');
  const fields: IpoObservation = {
    dealKey: null,
    companyName,
    ...step,
    symbol: isToBeAnnounced(readRaw(row, 'symbol') ?? '') ? null : requireListedSymbol(row),
    exchange: readText(row, 'exchange'),
    shares: positiveOrNull(parseJsonNumber(row['shares'] ?? null), 'shares'),
    ...ipoPrices(step.stage, readPrice(row)),
  };
  return { dataset: 'ipos', entityKey: subject, naturalKey: step.stage, fields };
}

/** Reads a price range, which is text, or a single price, which is a number. */
function readPrice(row: JsonObject): PriceRange {
  const value = row['priceRange'];
  if (typeof value !== 'number') return readPriceRange(row, 'priceRange');
  const price = positiveOrNull(parseJsonNumber(value), 'priceRange');
  return { low: price, high: price };
}

/** Returns the entity key for an invalid row. It is the company name, as for valid rows. */
function entityKeyOf(row: unknown): string | null {
  const name: unknown =
    typeof row === 'object' && row !== null ? Reflect.get(row, 'company') : null;
  return typeof name === 'string' ? foldCompanyName(name) : null;
}
