import {
  addDays,
  addMonths,
  dayOf,
  daysInMonth,
  localDate,
  type LocalDate,
  monthOf,
  toEpochDay,
  weekdayOf,
  yearOf,
} from '../../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import { randomNormal } from './random.ts';
import { type Figure, type Release, RELEASES, type Schedule } from './economic-releases.ts';

/** Random draws for economic figures, separate from the draws for companies. */
const DRAWS = { actual: 101, consensus: 102 } as const;
/** Deviation of the consensus, as a fraction of the figure's spread. */
const CONSENSUS_ERROR = 0.4;
/** Longest interval between two releases. */
const GAP_DAYS = 110;
/** Maximum number of days by which a market closure moves a release back. */
const HOLIDAYS = 7;

/** A figure from an economic release, as known at an instant. */
export interface EconomicView {
  name: string;
  date: LocalDate;
  time: string;
  /** Set if a release has a monthly and an annual rate with the same name. */
  measure: 'mom' | 'yoy' | null;
  actual: string | null;
  consensus: string | null;
  previous: string | null;
}

interface Occurrence {
  release: Release;
  index: number;
  /**
   * The scheduled date, which determines the figures. If the market is closed on that date, the
   * figure is released on the previous trading day.
   */
  nominal: LocalDate;
  date: LocalDate;
  at: Instant;
}

/** A fictional U.S. release calendar, determined by the seed and the requested instant. */
export class EconomicCalendar {
  readonly #seed: number;
  readonly #tradingDay: (date: LocalDate) => LocalDate;

  /** `tradingDay` returns the last trading day on or before a date. */
  constructor(seed: number, tradingDay: (date: LocalDate) => LocalDate) {
    this.#seed = seed;
    this.#tradingDay = tradingDay;
  }

  /** Returns the releases in a date range, inclusive, as known at `at`. */
  views(from: LocalDate, to: LocalDate, at: Instant): EconomicView[] {
    return this.#occurrences(from, to).flatMap((list) =>
      list.flatMap((occurrence, i) =>
        occurrence.date >= from && occurrence.date <= to
          ? this.#viewsOf(occurrence, list[i - 1], at)
          : [],
      ),
    );
  }

  /**
   * Returns the releases published after `from` and up to `to`, and the release after each of them,
   * since its previous value is now known.
   */
  changed(from: Instant, to: Instant): EconomicView[] {
    const end = addDays(newYorkDate(to), GAP_DAYS);
    const isPublished = ({ at }: Occurrence): boolean => at > from && at <= to;
    return this.#occurrences(newYorkDate(from), end).flatMap((list) =>
      list.flatMap((occurrence, i) => {
        const previous = list[i - 1];
        const isChanged =
          isPublished(occurrence) || (previous !== undefined && isPublished(previous));
        return isChanged ? this.#viewsOf(occurrence, previous, to) : [];
      }),
    );
  }

  #occurrences(from: LocalDate, to: LocalDate): Occurrence[][] {
    return RELEASES.map((release, index) =>
      daysOf(release.schedule, addDays(from, -GAP_DAYS), addDays(to, HOLIDAYS)).map((nominal) => {
        const date = this.#tradingDay(nominal);
        return { release, index, nominal, date, at: newYorkInstant(date, minuteOf(release.time)) };
      }),
    );
  }

  #viewsOf(occurrence: Occurrence, previous: Occurrence | undefined, at: Instant): EconomicView[] {
    const { release, date } = occurrence;
    const shared = { name: release.name, date, time: release.time };
    if (release.figures.length === 0) {
      return [{ ...shared, measure: null, actual: null, consensus: null, previous: null }];
    }
    return release.figures.map((figure, index) => {
      const actual = this.#actual(figure, occurrence, index);
      const deviation = this.#draw(DRAWS.consensus, occurrence, index);
      const consensus = actual + CONSENSUS_ERROR * figure.spread * deviation;
      return {
        ...shared,
        measure: release.figures.length === 1 ? null : index === 0 ? 'mom' : 'yoy',
        actual: occurrence.at <= at ? formatFigure(figure, actual) : null,
        consensus: formatFigure(figure, consensus),
        previous:
          previous !== undefined && previous.at <= at
            ? formatFigure(figure, this.#actual(figure, previous, index))
            : null,
      };
    });
  }

  #actual(figure: Figure, occurrence: Occurrence, index: number): number {
    return figure.middle + figure.spread * this.#draw(DRAWS.actual, occurrence, index);
  }

  #draw(kind: number, { index, nominal }: Occurrence, figureIndex: number): number {
    return randomNormal(this.#seed, kind, index, figureIndex, toEpochDay(nominal));
  }
}

/** Returns a schedule's dates in a range, in order. */
function daysOf(schedule: Schedule, from: LocalDate, to: LocalDate): LocalDate[] {
  const days: LocalDate[] = [];
  if (schedule.nth === undefined) {
    let day = addDays(from, (schedule.weekday - weekdayOf(from) + 7) % 7);
    for (; day <= to; day = addDays(day, 7)) days.push(day);
    return days;
  }
  let first = localDate(`${from.slice(0, 7)}-01`);
  for (; first <= to; first = addMonths(first, 1)) {
    if (schedule.months?.includes(monthOf(first)) === false) continue;
    const day = nthOfMonth(first, schedule.weekday, schedule.nth);
    if (day >= from && day <= to) days.push(day);
  }
  return days;
}

function nthOfMonth(first: LocalDate, weekday: number, nth: number): LocalDate {
  const day = addDays(first, (weekday - weekdayOf(first) + 7) % 7);
  if (nth > 0) return addDays(day, 7 * (nth - 1));
  const length = daysInMonth(yearOf(first), monthOf(first));
  return addDays(day, 7 * Math.floor((length - dayOf(day)) / 7));
}

function formatFigure({ decimals, suffix }: Figure, value: number): string {
  const text = value.toFixed(decimals);
  return `${Number(text) === 0 ? text.replace('-', '') : text}${suffix}`;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
