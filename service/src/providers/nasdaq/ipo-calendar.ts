import { daily } from '../../domain/market/due-times.ts';
import type { IpoObservation, IpoStatus } from '../../datasets/ipos/observation.ts';
import { foldCompanyName } from '../../domain/company-name.ts';
import { parseSlashDate } from '../../domain/dirty-date.ts';
import { parseDollars, parsePlain } from '../../domain/dirty-number.ts';
import { addMonths, dayOf } from '../../domain/local-date.ts';
import { positiveOrNull, readText, readWith, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readPriceRange, readProposedSymbol } from '../kit/ipo-fields.ts';
import { joinParsed, readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type FeedRequest,
  type ParsedRow,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** Number of days into a month during which the previous month may still change. */
const SETTLING_DAYS = 5;

/** Later stages that a deal may have while it is still listed as upcoming. */
const LATER_STAGES: readonly IpoStatus[] = ['priced', 'postponed', 'withdrawn'];

/**
 * `ipo/calendar?date=YYYY-MM`: filed, upcoming, priced and withdrawn deals in a month. A deal has
 * the same key in every section and may be in two sections at once.
 */
export const ipoCalendar: Feed = {
  name: 'ipo-calendar',
  datasets: ['ipos'],
  schedule: [{ name: 'sweep', times: daily('03:30', '08:30', '18:30'), scope: 'all' }],
  claims: (response) => response.host === HOST && /^\/api\/ipo\/calendar(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const data = openEnvelope(response);
  if (Array.isArray(data) || !SECTIONS.some(({ name }) => name in data)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no section of deals');
  }
  return joinParsed(SECTIONS.map((section) => readSection(data, section)));
}

interface Section {
  name: string;
  stage: IpoStatus;
  /** The upcoming table is nested one level deeper than the other tables. */
  inner?: string;
}

const SECTIONS: readonly Section[] = [
  { name: 'filed', stage: 'filed' },
  { name: 'upcoming', stage: 'expected', inner: 'upcomingTable' },
  { name: 'priced', stage: 'priced' },
  { name: 'withdrawn', stage: 'withdrawn' },
];

function readSection(data: JsonObject, { name, stage, inner }: Section): ParseResult {
  const outer = objectIn(data, name);
  const table = inner === undefined || !(inner in outer) ? outer : objectIn(outer, inner);
  return readRows({
    dataset: 'ipos',
    rows: rowsOf(table),
    entityKeyOf,
    read: (row) => readRow(row, stage),
  });
}

/**
 * Returns the object with that name, or an empty object if it is null or absent, as in a month
 * without deals.
 */
function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name] ?? {};
  if (isJsonObject(value)) return value;
  throw new SourceResponseError('error-answer', 'unexpected-shape', `${name} is not an object`);
}

function readRow(row: JsonObject, section: IpoStatus): ParsedRow<'ipos'> {
  const companyName = required(readText(row, 'companyName'), 'companyName');
  const subject = required(foldCompanyName(companyName), 'companyName');
  const dealKey = required(readText(row, 'dealID'), 'dealID');
  if (!/^[\w-]{1,60}$/.test(dealKey)) throw new RowError('bad-deal-key', `dealID is ${dealKey}`);
  const stage = stageOf(row, section);
  const symbol = readProposedSymbol(row, 'proposedTickerSymbol');
  const fields: IpoObservation = { dealKey, companyName, stage, symbol };
  if ('proposedExchange' in row) fields.exchange = readText(row, 'proposedExchange');
  if ('expectedPriceDate' in row) {
    fields.expectedDate = readWith(row, 'expectedPriceDate', parseSlashDate);
  }
  if ('filedDate' in row) fields.filedDate = readWith(row, 'filedDate', parseSlashDate);
  if ('pricedDate' in row) fields.pricedDate = readWith(row, 'pricedDate', parseSlashDate);
  if ('withdrawDate' in row) fields.withdrawnDate = readWith(row, 'withdrawDate', parseSlashDate);
  if ('sharesOffered' in row) fields.shares = readAmount(row, 'sharesOffered', parsePlain);
  if ('dollarValueOfSharesOffered' in row) {
    fields.dealSize = readAmount(row, 'dollarValueOfSharesOffered', parseDollars);
  }
  const isPriced = stage === 'priced';
  const { low, high } = readPriceRange(row, 'proposedSharePrice');
  if (isPriced && low !== null && low === high) fields.price = low;
  else if ('proposedSharePrice' in row) Object.assign(fields, { priceLow: low, priceHigh: high });
  return { dataset: 'ipos', entityKey: subject, naturalKey: `${dealKey}/${section}`, fields };
}

/**
 * Returns the stage of a deal. A postponed, withdrawn or just priced deal may stay in the upcoming
 * section for a while.
 */
function stageOf(row: JsonObject, section: IpoStatus): IpoStatus {
  if (section !== 'expected') return section;
  const word = readText(row, 'dealStatus')?.toLowerCase() ?? null;
  return LATER_STAGES.find((stage) => stage === word) ?? section;
}

function readAmount(
  row: JsonObject,
  key: string,
  parseText: (text: string) => string | null,
): string | null {
  return positiveOrNull(readWith(row, key, parseText), key);
}

function entityKeyOf(row: unknown): string | null {
  const name = isJsonObject(row) ? row['companyName'] : null;
  return typeof name === 'string' ? foldCompanyName(name) : null;
}

/** Plans this month and the next, and the previous month during the first days of a month. */
function plan({ today }: PlanContext): FeedRequest[] {
  const months = dayOf(today) <= SETTLING_DAYS ? [0, 1, -1] : [0, 1];
  return months.map((offset) =>
    apiRequest(`ipo/calendar?date=${addMonths(today, offset).slice(0, 7)}`),
  );
}
