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
import { noiseNormal } from './random.ts';
import { type Figure, type Release, RELEASES, type When } from './economic-releases.ts';

/** Draws of the economy, apart from those of companies. */
const DRAW = { actual: 101, consensus: 102 } as const;
/** The consensus misses by this part of a figure's spread. */
const MISS = 0.4;
/** No release waits longer for its next one. */
const GAP_DAYS = 110;
/** No closure of the market moves a release further back. */
const HOLIDAYS = 7;

/** One figure of one release, as it was known at a moment. */
export interface EconomicView {
  name: string;
  date: LocalDate;
  time: string;
  /** Set where a release gives the month's and the year's rate under one name. */
  measure: 'mom' | 'yoy' | null;
  actual: string | null;
  consensus: string | null;
  previous: string | null;
}

export interface Economy {
  /** What was known at that moment of the releases from one day to another, both included. */
  views(from: LocalDate, to: LocalDate, at: Instant): EconomicView[];
  /** What the releases after `from` up to `to` made known: themselves, and what stands before their next. */
  changed(from: Instant, to: Instant): EconomicView[];
}

interface Occurrence {
  release: Release;
  index: number;
  /** The day by the rule, which draws the figures; released on the trading day before if closed. */
  nominal: LocalDate;
  date: LocalDate;
  at: Instant;
}

/** A made-up U.S. release calendar: a function of the seed and the moment asked for. */
export function createEconomy(seed: number, tradingDay: (date: LocalDate) => LocalDate): Economy {
  function occurrences(from: LocalDate, to: LocalDate): Occurrence[][] {
    return RELEASES.map((release, index) =>
      daysOf(release.when, addDays(from, -GAP_DAYS), addDays(to, HOLIDAYS)).map((nominal) => {
        const date = tradingDay(nominal);
        return { release, index, nominal, date, at: newYorkInstant(date, minuteOf(release.time)) };
      }),
    );
  }

  function viewsOf(one: Occurrence, before: Occurrence | undefined, at: Instant): EconomicView[] {
    const { release, date } = one;
    const shared = { name: release.name, date, time: release.time };
    if (release.figures.length === 0) {
      return [{ ...shared, measure: null, actual: null, consensus: null, previous: null }];
    }
    return release.figures.map((figure, place) => ({
      ...shared,
      measure: release.figures.length === 1 ? null : place === 0 ? 'mom' : 'yoy',
      actual: one.at <= at ? written(figure, drawn(figure, one, place)) : null,
      consensus: written(figure, drawn(figure, one, place) + missOf(figure, one, place)),
      previous:
        before !== undefined && before.at <= at
          ? written(figure, drawn(figure, before, place))
          : null,
    }));
  }

  function drawn(figure: Figure, one: Occurrence, place: number): number {
    const luck = noiseNormal(seed, DRAW.actual, one.index, place, toEpochDay(one.nominal));
    return figure.middle + figure.spread * luck;
  }

  function missOf(figure: Figure, one: Occurrence, place: number): number {
    const luck = noiseNormal(seed, DRAW.consensus, one.index, place, toEpochDay(one.nominal));
    return MISS * figure.spread * luck;
  }

  return {
    views: (from, to, at) =>
      occurrences(from, to).flatMap((list) =>
        list.flatMap((one, i) =>
          one.date >= from && one.date <= to ? viewsOf(one, list[i - 1], at) : [],
        ),
      ),
    changed: (from, to) =>
      occurrences(newYorkDate(from), addDays(newYorkDate(to), GAP_DAYS)).flatMap((list) =>
        list.flatMap((one, i) => {
          const before = list[i - 1];
          const isOut = one.at > from && one.at <= to;
          const isNext = before !== undefined && before.at > from && before.at <= to;
          return isOut || isNext ? viewsOf(one, before, to) : [];
        }),
      ),
  };
}

/** The days of a rule between two days, in order. */
function daysOf(when: When, from: LocalDate, to: LocalDate): LocalDate[] {
  const days: LocalDate[] = [];
  if (when.nth === undefined) {
    let day = addDays(from, (when.weekday - weekdayOf(from) + 7) % 7);
    for (; day <= to; day = addDays(day, 7)) days.push(day);
    return days;
  }
  let first = localDate(`${from.slice(0, 7)}-01`);
  for (; first <= to; first = addMonths(first, 1)) {
    if (when.months?.includes(monthOf(first)) === false) continue;
    const day = nthOfMonth(first, when.weekday, when.nth);
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

function written({ decimals, suffix }: Figure, value: number): string {
  const text = value.toFixed(decimals);
  return `${Number(text) === 0 ? text.replace('-', '') : text}${suffix}`;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
