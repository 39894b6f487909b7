import { onTradingDays } from '../../domain/market/due-times.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { parseClockTime } from '../../domain/market/clock-time.ts';
import { readText, readWith, required } from '../kit/fields.ts';
import { elementsOfTag, parseMarkup, visibleText } from '../kit/html.ts';
import { type JsonObject, rejectFailedStatus } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
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
import { type AuctionKind, auctionName } from './auction-name.ts';
import { agencyRequest } from './request.ts';
import { releaseRow } from './schedule-calendar.ts';

export const TREASURY_DIRECT_HOST = 'www.treasurydirect.gov';
/** Announcements begin with `A`, results with `R`. */
const PATH = /^\/xml\/[AR]_\d{8}_\d+\.xml$/;
/** The Treasury seldom holds more auctions on one day. */
const AUCTIONS_PER_DAY_MAX = 4;
const KINDS: Readonly<Record<string, AuctionKind>> = { BILL: 'Bill', NOTE: 'Note', BOND: 'Bond' };
/** Notes, bonds and TIPS have a yield, bills a discount rate, and floating rate notes a margin. */
const RESULTS = ['HighYield', 'HighDiscountRate', 'HighDiscountMargin'];

/**
 * The announcement or result of one Treasury auction. The figure is the highest accepted yield,
 * discount rate or discount margin, in percent. The file of an announcement has none.
 */
export const auctionResults: Feed = {
  name: 'auction-results',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 10] },
  schedule: [
    { name: 'results', times: onTradingDays('11:36', '13:06'), scope: 'all', priority: 'prompt' },
  ],
  claims: (response) => response.host === TREASURY_DIRECT_HOST && PATH.test(response.path),
  parse,
  plan,
};

/** Plans today's files. The number of auctions is unknown, so some of the files do not exist. */
function plan(context: PlanContext): FeedRequest[] {
  const day = context.today.replaceAll('-', '');
  return Array.from({ length: AUCTIONS_PER_DAY_MAX }, (_, index) => {
    const url = `https://${TREASURY_DIRECT_HOST}/xml/R_${day}_${index + 1}.xml`;
    return agencyRequest(url, 'text/xml', context);
  });
}

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const text = response.text.trimEnd();
  if (!/<(?:\w+:)?AuctionData\b/.test(text) || !/<\/(?:\w+:)?AuctionData>$/.test(text)) {
    throw new SourceResponseError('damaged', 'not-an-auction', 'not auction data, or truncated');
  }
  return readRows({
    dataset: 'economic-events',
    rows: [toObject(text)],
    entityKeyOf: () => null,
    read: (row) => readAuction(row, response.url),
  });
}

/** Returns the value of each element. Of the elements with the same name, the last filled one. */
function toObject(text: string): JsonObject {
  const elements = elementsOfTag(parseMarkup(text, 'xml'), ...ELEMENTS);
  const filled = elements.map((element) => [element.name, visibleText(element)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== ''));
}

const ELEMENTS = [
  'SecurityTermWeekYear',
  'SecurityTermDayMonth',
  'SecurityType',
  'CUSIP',
  'AnnouncementDate',
  'AuctionDate',
  'CompetitiveClosingTime',
  'InflationIndexSecurity',
  'FloatingRate',
  ...RESULTS,
];

function readAuction(row: JsonObject, sourceUrl: string): ParsedRow<'economic-events'> {
  const kind = kindOf(row);
  const weeks = required(readText(row, 'SecurityTermWeekYear'), 'SecurityTermWeekYear');
  const days = required(readText(row, 'SecurityTermDayMonth'), 'SecurityTermDayMonth');
  // A bill of an irregular term has no weeks, and only its days count.
  const term = weeks.startsWith('0-') ? days : `${weeks} ${days}`;
  const eventName = auctionName(kind, term);
  if (eventName === null) throw new RowError('unknown-security', `the term is ${term}`);
  const date = required(readWith(row, 'AuctionDate', parseLocalDate), 'AuctionDate');
  const time = readText(row, 'CompetitiveClosingTime');
  if (time !== null && parseClockTime(time) === null) {
    throw new RowError('bad-time', `CompetitiveClosingTime is ${time}`);
  }
  const rate = RESULTS.map((name) => readText(row, name)).find((value) => value !== null);
  if (rate !== undefined && !/^-?\d{1,2}(?:\.\d{1,4})?$/.test(rate)) {
    throw new RowError('bad-number', `the result is ${rate}`);
  }
  const cusip = required(readText(row, 'CUSIP'), 'CUSIP');
  const release = {
    eventName,
    date,
    time,
    timeStatus: time === null ? ('all-day' as const) : ('exact' as const),
    actual: rate === undefined ? null : `${rate}%`,
    sourceUrl,
    naturalKey: `${cusip}/${readText(row, 'AnnouncementDate') ?? date}`,
  };
  return releaseRow(release, { list: null });
}

function kindOf(row: JsonObject): AuctionKind {
  if (readText(row, 'InflationIndexSecurity') === 'Y') return 'TIPS';
  if (readText(row, 'FloatingRate') === 'Y') return 'FRN';
  const type = required(readText(row, 'SecurityType'), 'SecurityType');
  const kind = KINDS[type.toUpperCase()];
  if (kind === undefined) throw new RowError('unknown-security', `the security is a ${type}`);
  return kind;
}
