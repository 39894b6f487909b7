import { daily } from '../../domain/market/due-times.ts';
import type { StatedRelease } from '../../datasets/economic-events/compare-releases.ts';
import { addDays, parseLocalDate } from '../../domain/local-date.ts';
import { readApiKey } from '../kit/api-key.ts';
import { isJsonObject, isList, requireJson } from '../kit/json.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';

export const FRED_HOST = 'api.stlouisfed.org';
export const FRED_KEY_SETTING = 'FRED_API_KEY';
const PATH = '/fred/releases/dates';
/** The longest list that FRED returns, which has about forty releases for each day. */
const LIMIT = 1000;
const DAYS_BACK = 3;
const DAYS_AHEAD = 18;

/**
 * FRED's ids of the releases that are compared, with the stem of one of their events. FRED dates its
 * release of FOMC statements on every day, and gives both reports on orders one id, so these are not
 * compared.
 */
const STEMS: ReadonlyMap<number, string> = new Map([
  [9, 'us-retail-sales-mom'],
  [10, 'us-cpi-mom'],
  [13, 'us-industrial-production-mom'],
  [14, 'us-consumer-credit'],
  [27, 'us-housing-starts'],
  [46, 'us-ppi-mom'],
  [50, 'us-nonfarm-payrolls'],
  [51, 'us-trade-balance'],
  [53, 'us-gdp-qoq'],
  [54, 'us-pce-mom'],
  [97, 'us-new-home-sales'],
  [180, 'us-initial-jobless-claims'],
  [192, 'us-jolts-openings'],
]);

/**
 * The days on which FRED expects releases. They are only compared with the agencies' own days, and
 * give no rows.
 */
export const releaseDates: Feed = {
  name: 'release-dates',
  datasets: ['economic-events'],
  schedule: [{ name: 'nightly', times: daily('04:50'), scope: 'all' }],
  claims: (response) => response.host === FRED_HOST && response.path.split('?')[0] === PATH,
  parse,
  plan,
};

function plan(context: PlanContext): FeedRequest[] {
  const key = readApiKey(context, FRED_KEY_SETTING);
  if (key === null) return [];
  const url = new URL(`https://${FRED_HOST}${PATH}`);
  url.search = new URLSearchParams({
    file_type: 'json',
    include_release_dates_with_no_data: 'true',
    sort_order: 'asc',
    limit: String(LIMIT),
    realtime_start: addDays(context.today, -DAYS_BACK),
    realtime_end: addDays(context.today, DAYS_AHEAD),
    api_key: key,
  }).toString();
  return [{ url: url.href, headers: { accept: 'application/json' } }];
}

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const list = isJsonObject(body) ? body['release_dates'] : undefined;
  if (!isList(list)) {
    const message = isJsonObject(body) ? body['error_message'] : undefined;
    const detail = typeof message === 'string' ? message : 'release_dates is not a list';
    throw new SourceResponseError('error-answer', 'unexpected-shape', detail.slice(0, 200));
  }
  const dates = list.filter(isJsonObject).flatMap(({ release_id: id, date }) => {
    const day = typeof date === 'string' ? parseLocalDate(date) : null;
    return day === null ? [] : [{ id, date: day }];
  });
  const days = dates.map(({ date }) => date).toSorted();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) {
    throw new SourceResponseError('unsupported', 'no-dates', 'the list has no dates');
  }
  const releases = dates.flatMap(({ id, date }): StatedRelease[] => {
    const stem = typeof id === 'number' ? STEMS.get(id) : undefined;
    return stem === undefined ? [] : [{ stem, date }];
  });
  // In a list of the longest length, the first and last days may be incomplete.
  const isCut = list.length >= LIMIT;
  const range = isCut ? { from: addDays(from, 1), to: addDays(to, -1) } : { from, to };
  return { rows: [], bad: [], releaseDates: { ...range, releases } };
}
