import { daily } from '../../domain/market/due-times.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import { readRaw, readText, readWith, required } from '../kit/fields.ts';
import { isJsonObject, isList, type JsonObject, requireJson } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { type AuctionKind, auctionName, closingTime } from './auction-name.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow } from './schedule-calendar.ts';

export const FISCAL_DATA_HOST = 'api.fiscaldata.treasury.gov';
const PATH = '/services/api/fiscal_service/v1/accounting/od/upcoming_auctions';
const SOURCE_URL = 'https://fiscaldata.treasury.gov/datasets/upcoming-auctions/';

const KINDS: Readonly<Record<string, AuctionKind>> = {
  BILL: 'Bill',
  CMB: 'Bill',
  NOTE: 'Note',
  BOND: 'Bond',
  'FRN NOTE': 'FRN',
  'TIPS NOTE': 'TIPS',
  'TIPS BOND': 'TIPS',
};

/**
 * The auctions that the Treasury has announced. The list repeats an auction on each day until it
 * is held, and keeps auctions of earlier years.
 */
export const auctionSchedule: Feed = {
  name: 'auction-schedule',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 20] },
  schedule: [{ name: 'sweep', times: daily('03:24', '12:00'), scope: 'all' }],
  claims: (response) => response.host === FISCAL_DATA_HOST && response.path.split('?')[0] === PATH,
  parse,
  plan(context) {
    const query = `filter=auction_date:gte:${context.today}&page[size]=1000`;
    const url = `https://${FISCAL_DATA_HOST}${PATH}?${query}`;
    return [agencyRequest(url, 'application/json', context)];
  },
};

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const data = isJsonObject(body) ? body['data'] : undefined;
  if (!isList(data)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'data is not a list');
  }
  // Newest first, because the first of two conflicting rows is kept.
  const rows = data.toSorted((a, b) => compareText(recordDateOf(b), recordDateOf(a)));
  return readReleases(rows, readAuction);
}

function recordDateOf(row: unknown): string {
  const date = isJsonObject(row) ? row['record_date'] : undefined;
  return typeof date === 'string' ? date : '';
}

function readAuction(row: JsonObject): ParsedRow<'economic-events'> {
  const type = required(readText(row, 'security_type'), 'security_type');
  const term = required(readText(row, 'security_term'), 'security_term');
  const kind = KINDS[type.toUpperCase()];
  const eventName = kind === undefined ? null : auctionName(kind, term);
  if (kind === undefined || eventName === null) {
    throw new RowError('unknown-security', `the security is ${term} ${type}`);
  }
  const date = readWith(row, 'auction_date', parseLocalDate);
  if (date === null)
    throw new RowError('bad-date', `auction_date is ${readRaw(row, 'auction_date')}`);
  const cusip = required(readText(row, 'cusip'), 'cusip');
  const announced = readText(row, 'announcemt_date') ?? date;
  const release = { eventName, date, ...closingTime(kind, term), sourceUrl: SOURCE_URL };
  return releaseRow({ ...release, naturalKey: `${cusip}/${announced}` }, { list: null });
}
