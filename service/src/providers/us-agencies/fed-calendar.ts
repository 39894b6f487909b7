import { daily } from '../../domain/market/due-times.ts';
import { makeLocalDate } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import { isJsonObject, isList, type JsonObject, requireJson } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readTwelveHourTime } from './clock-text.ts';
import { FEDERAL_RESERVE_HOST } from './fomc-calendar.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow, type ReleaseTime } from './schedule-calendar.ts';

const PATH = '/json/calendar.json';
const SOURCE_URL = `https://${FEDERAL_RESERVE_HOST}/newsevents/calendar.htm`;

/**
 * Titles of the releases, with the stem of each event or the name of the whole release. Speeches,
 * testimonies and other releases are skipped.
 */
const RELEASES: readonly [title: RegExp, ...events: { stem?: string; name?: string }[]][] = [
  [/^FOMC Meeting\b/i, { stem: 'us-fomc-statement' }, { stem: 'us-fomc-rate-decision' }],
  [/^FOMC Press Conference\b/i, { stem: 'us-fomc-press-conference' }],
  [/^FOMC Minutes\b/i, { stem: 'us-fomc-minutes' }],
  [/^Beige Book\b/i, { stem: 'us-beige-book' }],
  [/^G\.17\b/i, { name: 'Industrial Production and Capacity Utilization' }],
  [/^G\.19\b/i, { stem: 'us-consumer-credit' }],
];

/**
 * The calendar of the Federal Reserve Board: meetings of the Federal Open Market Committee, minutes
 * before they are released, the Beige Book, industrial production and consumer credit, with New York
 * times.
 */
export const fedCalendar: Feed = {
  name: 'fed-calendar',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 160] },
  schedule: [{ name: 'nightly', times: daily('03:29'), scope: 'all' }],
  claims: (response) =>
    response.host === FEDERAL_RESERVE_HOST && response.path.split('?')[0] === PATH,
  parse,
  plan: (context) => [
    agencyRequest(`https://${FEDERAL_RESERVE_HOST}${PATH}`, 'application/json', context),
  ],
};

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const events = isJsonObject(body) ? body['events'] : undefined;
  if (!isList(events)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'events is not a list');
  }
  const rows = events.filter(isJsonObject).flatMap(toObjects);
  if (rows.length === 0) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'the list has no releases');
  }
  return readReleases(rows, readEvent);
}

/** Returns a row for each event of a calendar entry; none for an entry that is not a release. */
function toObjects(entry: JsonObject): JsonObject[] {
  const { title, month, days, time } = entry;
  if (typeof title !== 'string') return [];
  const [, ...events] = RELEASES.find(([pattern]) => pattern.test(title.trim())) ?? [null];
  return events.map((event) => ({ ...event, title, month, days, time }));
}

function readEvent(row: JsonObject): ParsedRow<'economic-events'> {
  const stem = readText(row, 'stem');
  const month = required(readText(row, 'month'), 'month');
  const days = required(readText(row, 'days'), 'days');
  // A meeting of two days ends with the decision.
  const day = days.match(/\d+/g)?.at(-1);
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? [];
  const date = makeLocalDate(Number(year), Number(number), Number(day));
  if (date === null) throw new RowError('bad-date', `the day is ${month} ${days}`.slice(0, 100));
  const time = readTwelveHourTime(readText(row, 'time') ?? '');
  const schedule: ReleaseTime =
    time === null ? { date, time, timeStatus: 'all-day' } : { date, time, timeStatus: 'exact' };
  const eventName = stem ?? required(readText(row, 'name'), 'name');
  const release = { eventName, ...schedule, sourceUrl: SOURCE_URL };
  return releaseRow(
    { ...release, naturalKey: `${eventName}/${date}` },
    { ...(stem !== null && { stem }) },
  );
}
