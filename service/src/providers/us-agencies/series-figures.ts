import { monthKey } from '../../datasets/economic-events/observation.ts';
import type { Vintage } from '../../datasets/economic-events/delayed-releases.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import { type ParseResult, type SourceResponse, SourceResponseError } from '../provider.ts';
import { undatedFigureRow } from './figure-row.ts';
import {
  endOf,
  type Figure,
  figuresOf,
  periodOf,
  type Point,
  releaseEstimate,
} from './series-values.ts';

/** A well-known event with the values of its series. */
export interface SeriesEvent {
  stem: string;
  figure: Figure;
  /** In any order. */
  points: readonly Point[];
  sourceUrl: string;
  /**
   * Returns the estimate of the quarter that the newest value is, and its usual day; absent for other
   * events.
   */
  estimateOf?: (newest: Point) => { vintage: Vintage; date: LocalDate };
}

/**
 * A series whose newest period ended earlier than this before the response was not updated, so its
 * newest value is not the one last released.
 */
const AGE_DAYS_MAX = { month: 75, quarter: 130 };
/** Number of periods that a figure can depend on. Kept with a row that is invalid. */
const PERIODS_KEPT = 14;

/**
 * Returns the newest figure of each event, and that of the period before as revised since. Throws a
 * `SourceResponseError` if no series is current.
 */
export function readSeriesFigures(
  response: SourceResponse,
  events: readonly SeriesEvent[],
): ParseResult {
  const observedDate = newYorkDate(response.observedAt);
  const current = events.flatMap((event) => {
    const points = event.points.toSorted((a, b) => daysBetween(a.start, b.start));
    const newest = points[0];
    if (newest === undefined) return [];
    const age = daysBetween(endOf(newest), observedDate);
    return age < 0 || age > AGE_DAYS_MAX[newest.length] ? [] : [{ ...event, points, newest }];
  });
  if (current.length === 0) {
    throw new SourceResponseError(
      'unsupported',
      'no-current-figure',
      'no series of a well-known event that includes its latest value',
    );
  }
  const rows = current.map(({ stem, points }) => ({ stem, values: points.slice(0, PERIODS_KEPT) }));
  return readRows({
    dataset: 'economic-events',
    rows,
    entityKeyOf(row) {
      const event = current.find(({ stem }) => stem === Reflect.get(Object(row), 'stem'));
      return event === undefined ? null : monthKey(releaseEstimate(event.newest));
    },
    read({ stem }) {
      const event = current.find((one) => one.stem === stem);
      if (event === undefined) throw new RowError('unknown-series', 'no event has this stem');
      const { newest, points, figure, sourceUrl, estimateOf } = event;
      const { actual, previous } = figuresOf(points, newest, figure);
      if (actual === null) throw new RowError('missing-field', `no value for ${newest.start}`);
      return undatedFigureRow({
        stem: event.stem,
        period: periodOf(newest),
        date: releaseEstimate(newest),
        actual,
        previous,
        sourceUrl,
        ...estimateOf?.(newest),
      });
    },
  });
}
