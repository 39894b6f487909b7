import { atReleases } from './at-releases.ts';
import { monthKey } from '../../datasets/economic-events/observation.ts';
import { normalizeDecimal } from '../../domain/decimal.ts';
import { daysBetween, type LocalDate, makeLocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { isJsonObject, isList, requireJson } from '../kit/json.ts';
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
import { BLS_SERIES, type BlsSeries } from './bls-series.ts';
import { awaitsFigure } from './awaited.ts';
import { undatedFigureRow } from './figure-row.ts';
import { agencyRequest } from './request.ts';
import { endOf, figuresOf, periodOf, type Point, releaseEstimate } from './series-values.ts';

type Row = ParsedRow<'economic-events'>;

export const BLS_API_HOST = 'api.bls.gov';
const API_URL = `https://${BLS_API_HOST}/publicAPI/v1/timeseries/data/`;
const PATH = /^\/publicAPI\/v\d\/timeseries\/data\//;
const PERIOD = /^(?:M(0[1-9]|1[0-2])|Q0([1-4]))$/;
/**
 * A series whose newest period ended earlier than this before the response was cut off, so its
 * newest value is not the one last released.
 */
const AGE_DAYS_MAX = { month: 75, quarter: 130 };

/**
 * The latest figures of the Bureau of Labor Statistics and those of the period before. The API has
 * no release dates; those come from the release schedule. Older values are not read, because they
 * were revised after their release.
 */
export const blsFigures: Feed = {
  name: 'bls-figures',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 60] },
  schedule: [
    { name: 'figures', times: atReleases('08:30', '10:00'), scope: 'all', priority: 'prompt' },
  ],
  claims: (response) => response.host === BLS_API_HOST && PATH.test(response.path),
  parse,
  plan,
};

/**
 * Plans one request for all series whose figures are due. Without a registered key, the API allows 25
 * requests a day, each for at most 25 series.
 */
function plan(context: PlanContext): FeedRequest[] {
  const due = BLS_SERIES.filter(({ stem }) => awaitsFigure(context, stem));
  if (due.length === 0) return [];
  const seriesid = [...new Set(due.map(({ id }) => id))];
  const { url, headers } = agencyRequest(API_URL, 'application/json', context);
  return [
    {
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      method: 'POST',
      body: JSON.stringify({ seriesid }),
    },
  ];
}

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const results = isJsonObject(body) ? body['Results'] : undefined;
  const series = isJsonObject(results) ? results['series'] : undefined;
  if (!isList(series)) {
    throw new SourceResponseError('error-answer', 'provider-error', messageOf(body));
  }
  const observedDate = newYorkDate(response.observedAt);
  const parts = series.flatMap((one) => readSeries(one, observedDate) ?? []);
  if (parts.length > 0) return joinParsed(parts);
  throw new SourceResponseError(
    'unsupported',
    'no-current-figure',
    'no series of a well-known event that includes its latest value',
  );
}

/** Returns the message of an error response, such as an exceeded daily limit. */
function messageOf(body: unknown): string {
  const messages = isJsonObject(body) && isList(body['message']) ? body['message'] : [];
  const text = messages.filter((message) => typeof message === 'string').join('; ');
  return text === '' ? 'the response has no series' : text.slice(0, 200);
}

/** Returns the rows of one series; null if it is unknown or its latest values are missing. */
function readSeries(series: unknown, observedDate: LocalDate): ParseResult<Row> | null {
  const { seriesID: id, data } = isJsonObject(series) ? series : {};
  const events = BLS_SERIES.filter((event) => event.id === id);
  if (events.length === 0 || !isList(data)) return null;
  const points = pointsOf(data);
  const newest = points[0];
  if (newest === undefined) return null;
  const age = daysBetween(endOf(newest), observedDate);
  if (age < 0 || age > AGE_DAYS_MAX[newest.length]) return null;
  return readRows({
    dataset: 'economic-events',
    rows: events.map(({ stem }) => ({ stem, seriesID: id, data: data.slice(0, 14) })),
    entityKeyOf: () => monthKey(releaseEstimate(newest)),
    read: ({ stem }) => {
      const event = events.find((one) => one.stem === stem);
      if (event === undefined) throw new RowError('unknown-series', 'no event has this stem');
      return toRow(event, points, newest);
    },
  });
}

/** Returns the values by period, newest first. Skips annual averages. */
function pointsOf(data: readonly unknown[]): Point[] {
  const points = data.filter(isJsonObject).flatMap(({ year, period, value }): Point[] => {
    const match = typeof period === 'string' ? PERIOD.exec(period) : null;
    if (match === null) return [];
    const month = match[1] === undefined ? Number(match[2]) * 3 - 2 : Number(match[1]);
    const start = makeLocalDate(Number(year), month, 1);
    if (start === null) return [];
    const length = match[1] === undefined ? 'quarter' : 'month';
    return [{ length, start, value: typeof value === 'string' ? normalizeDecimal(value) : null }];
  });
  return points.toSorted((a, b) => daysBetween(a.start, b.start));
}

function toRow({ stem, id, figure }: BlsSeries, points: readonly Point[], newest: Point): Row {
  const { actual, previous } = figuresOf(points, newest, figure);
  if (actual === null) {
    throw new RowError('missing-field', `${id} lacks a value for ${newest.start}`);
  }
  return undatedFigureRow({
    stem,
    period: periodOf(newest),
    date: releaseEstimate(newest),
    actual,
    previous,
    sourceUrl: `https://data.bls.gov/timeseries/${id}`,
  });
}
