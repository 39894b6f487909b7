import {
  addDays,
  daysBetween,
  type LocalDate,
  toEpochDay,
  weekdayOf,
} from '../../domain/local-date.ts';
import { newYorkInstant, newYorkOffsetMinutes } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { wellKnownEvent } from './identify-events.ts';
import type { EconomicObservation } from './observation.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/**
 * Responses within this time belong to one capture, because a source does not change its clock that
 * quickly.
 */
const CAPTURE_MS = DAY_MS;
/**
 * A release calibrates the two weeks before and after it, which always contain regular releases.
 */
const REACH_DAYS = 14;
const SHIFTS = [0, -1];

/** Corrections that convert a source's dates and clock times to New York time. */
export interface Calibration {
  /** Days to add to the date under which the source lists a release. */
  shiftDays: number;
  /** UTC offset of the source's clock, in minutes. */
  offsetMinutes: number;
}

/** A well-known weekly release as listed in one capture. */
interface Anchor {
  source: string;
  at: Instant;
  date: LocalDate;
  clockMinute: number;
  weekday: number;
  minute: number;
}

/** Returns the calibration of a source for a listed day at the time of an observation. */
export type Calibrate = (
  history: ObservationHistory<EconomicObservation>,
  at: Instant,
  date: LocalDate,
) => Calibration | null;

/**
 * Returns a function that calibrates by the weekly releases in these histories. Results are
 * memoized per list and capture.
 */
export function calibrator(
  histories: readonly ObservationHistory<EconomicObservation>[],
): Calibrate {
  const anchors = Map.groupBy(anchorsOf(histories), ({ source }) => source);
  const memo = new Map<string, Calibration | null>();
  return (history, at, date) => {
    const source = sourceOf(history);
    const key = `${source}/${at}/${date}`;
    let calibration = memo.get(key);
    if (calibration === undefined) {
      calibration = calibrate(at, date, anchors.get(source) ?? []);
      memo.set(key, calibration);
    }
    return calibration;
  };
}

/** Returns the anchors in the histories, one per observation. */
function anchorsOf(histories: readonly ObservationHistory<EconomicObservation>[]): Anchor[] {
  return histories.flatMap((history) =>
    history.observations.flatMap(({ at, fields }) => {
      const anchor = fields.stem === null ? null : (wellKnownEvent(fields.stem)?.anchor ?? null);
      if (anchor === null || fields.clock !== 'uncalibrated' || fields.time === null) return [];
      const clockMinute = minuteOf(fields.time);
      return [{ source: sourceOf(history), at, date: fields.date, clockMinute, ...anchor }];
    }),
  );
}

/**
 * Returns the calibration for a listed day at a given time. Null if no regular release is near the
 * day, or if the nearby releases contradict each other. Holiday weeks, in which releases move, are
 * outvoted by neighboring weeks. Releases on the same side of a clock change have priority, so that
 * the result is correct both for sources in New York time and for sources with a fixed offset.
 */
function calibrate(at: Instant, date: LocalDate, anchors: readonly Anchor[]): Calibration | null {
  const near = anchors.filter(
    (anchor) =>
      Math.abs(anchor.at - at) <= CAPTURE_MS &&
      Math.abs(daysBetween(anchor.date, date)) <= REACH_DAYS,
  );
  const shiftDays = mode(
    near.flatMap(({ date: listed, weekday }) =>
      SHIFTS.filter((shift) => weekdayOf(addDays(listed, shift)) === weekday),
    ),
  );
  if (shiftDays === null) return null;
  const regular = near.filter(
    (anchor) => weekdayOf(addDays(anchor.date, shiftDays)) === anchor.weekday,
  );
  const side = offsetOn(addDays(date, shiftDays));
  const sameSide = regular.filter((anchor) => offsetOn(addDays(anchor.date, shiftDays)) === side);
  const voting = sameSide.length > 0 ? sameSide : regular;
  const offsetMinutes = mode(voting.map((anchor) => clockOffset(anchor, shiftDays)));
  return offsetMinutes === null ? null : { shiftDays, offsetMinutes };
}

/** Returns the instant for a source's clock time on its listed day. */
export function readClock(date: LocalDate, minute: number, calibration: Calibration): Instant {
  const listed = toEpochDay(addDays(date, calibration.shiftDays)) * DAY_MS + minute * MINUTE_MS;
  return listed - calibration.offsetMinutes * MINUTE_MS;
}

export function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function sourceOf(history: ObservationHistory<unknown>): string {
  return `${history.provider}/${history.feed}`;
}

function clockOffset(anchor: Anchor, shiftDays: number): number {
  const day = addDays(anchor.date, shiftDays);
  const expected = newYorkInstant(day, anchor.minute);
  return (toEpochDay(day) * DAY_MS + anchor.clockMinute * MINUTE_MS - expected) / MINUTE_MS;
}

/** Returns New York's UTC offset at noon on the day. */
function offsetOn(date: LocalDate): number {
  return newYorkOffsetMinutes(newYorkInstant(date, 720));
}

/** Returns the most frequent value; null without values, or if two are equally frequent. */
function mode(values: readonly number[]): number | null {
  const counts = [...Map.groupBy(values, (value) => value)].map(
    ([value, occurrences]) => [value, occurrences.length] as const,
  );
  counts.sort((a, b) => b[1] - a[1]);
  const [first, second] = counts;
  if (first === undefined || first[1] === second?.[1]) return null;
  return first[0];
}
