import { VOLUME_SESSIONS, meanVolume, volumeRatio } from './average-volume.ts';
import { type AdjustedBar, lastIndexUpTo } from './daily-bar.ts';
import type { Decimal } from './decimal.ts';
import {
  addFractions,
  compareFractions,
  type Fraction,
  fractionOf,
  multiplyFractions,
  percentChange,
  roundFraction,
  ZERO,
} from './fraction.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';

/** The criteria for unusual volume. Every bound is inclusive. */
export interface VolumeCriteria {
  /**
   * Number of sessions before the data date over which the volume is averaged. Three quarters of
   * them must have a volume.
   */
  lookbackSessions: number;
  minRelativeVolume: Decimal;
  minPrice: Decimal;
  minAverageVolume: Decimal;
  /** Minimum dollar volume, which is volume times price. */
  minDollarVolume: Decimal;
  /** Maximum number of rows in each of the two lists. */
  maxRows: number;
}

export const VOLUME_CRITERIA: VolumeCriteria = {
  lookbackSessions: VOLUME_SESSIONS,
  minRelativeVolume: '2',
  minPrice: '1',
  minAverageVolume: '100000',
  minDollarVolume: '1000000',
  maxRows: 100,
};

export interface VolumeCandidate {
  symbol: string;
  /** Bars adjusted for splits up to the data date, but not for later ones. */
  bars: readonly AdjustedBar[];
}

export interface UnusualVolume<Candidate extends VolumeCandidate> {
  up: VolumeRow<Candidate>[];
  down: VolumeRow<Candidate>[];
}

/** One security. Percentages, averages and ratios have 4 decimals, rounded half away from zero. */
export interface VolumeRow<Candidate extends VolumeCandidate> {
  candidate: Candidate;
  price: Decimal;
  /**
   * Change from the previous close, which is recent because the volume average needs recent
   * sessions.
   */
  changePercent: Decimal;
  volume: number;
  averageVolume: Decimal;
  relativeVolume: Decimal;
  /** (relativeVolume − 1) × 100. */
  volumeChangePercent: Decimal;
  dollarVolume: Decimal;
}

/** A report, used to mark companies that reported recently. */
export interface ReportDay {
  date: LocalDate;
  time: string;
}

const PLACES = 4;
const MONEY_PLACES = 2;
const FRACTION_ONE = fractionOf('1');
const HUNDRED = fractionOf('100');

interface Measured<Candidate extends VolumeCandidate> {
  candidate: Candidate;
  bar: AdjustedBar;
  volume: Fraction;
  change: Fraction;
  average: Fraction;
  relative: Fraction;
  dollars: Fraction;
}

/**
 * Returns the securities with unusual volume on `date`, with gainers and losers in separate lists.
 * The highest relative volume is first; equal volumes are ordered by symbol. Bounds apply before
 * rounding. A security with an unchanged or unknown previous close is in neither list.
 */
export function deriveUnusualVolume<Candidate extends VolumeCandidate>(
  candidates: readonly Candidate[],
  date: LocalDate,
  calendar: MarketCalendar,
  criteria: VolumeCriteria = VOLUME_CRITERIA,
): UnusualVolume<Candidate> {
  const listed = candidates
    .flatMap((candidate) => measure(candidate, date, calendar, criteria.lookbackSessions) ?? [])
    .filter(meets(criteria))
    .toSorted(byRelativeVolume);
  const toRows = (sign: 1 | -1): VolumeRow<Candidate>[] =>
    listed
      .filter(({ change }) => compareFractions(change, ZERO) === sign)
      .slice(0, criteria.maxRows)
      .map(renderRow);
  return { up: toRows(1), down: toRows(-1) };
}

/**
 * Returns the newest report within one session of the data date, that is, from the previous trading
 * day up to the data date, including the days between. Returns null if there is none. The caller
 * must leave out future reports.
 */
export function reportWithinOneSession<Report extends ReportDay>(
  reports: readonly Report[],
  date: LocalDate,
  calendar: MarketCalendar,
): Report | null {
  const from = calendar.previousTradingDay(date);
  const near = reports.filter((report) => report.date >= from && report.date <= date);
  return near.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))[0] ?? null;
}

function measure<Candidate extends VolumeCandidate>(
  candidate: Candidate,
  date: LocalDate,
  calendar: MarketCalendar,
  lookbackSessions: number,
): Measured<Candidate> | null {
  const { bars } = candidate;
  const index = lastIndexUpTo(bars, date);
  const [bar, before] = [bars[index], bars[index - 1]];
  if (bar === undefined || before === undefined || bar.date !== date) return null;
  const { volume, close } = bar.exact;
  const yesterday = calendar.previousTradingDay(date);
  const average = meanVolume(bars, calendar, yesterday, lookbackSessions);
  const relative = volumeRatio(bar, average);
  const change = percentChange(before.exact.close, close);
  if (volume === null || average === null || relative === null || change === null) return null;
  const dollars = multiplyFractions(volume, close);
  return { candidate, bar, volume, change, average, relative, dollars };
}

function meets(criteria: VolumeCriteria) {
  const minRelativeVolume = fractionOf(criteria.minRelativeVolume);
  const minPrice = fractionOf(criteria.minPrice);
  const minAverageVolume = fractionOf(criteria.minAverageVolume);
  const minDollarVolume = fractionOf(criteria.minDollarVolume);
  return ({ bar, average, relative, dollars }: Measured<VolumeCandidate>): boolean =>
    compareFractions(relative, minRelativeVolume) >= 0 &&
    compareFractions(bar.exact.close, minPrice) >= 0 &&
    compareFractions(average, minAverageVolume) >= 0 &&
    compareFractions(dollars, minDollarVolume) >= 0;
}

function byRelativeVolume(a: Measured<VolumeCandidate>, b: Measured<VolumeCandidate>): number {
  const bySize = compareFractions(b.relative, a.relative);
  if (bySize !== 0) return bySize;
  return a.candidate.symbol < b.candidate.symbol ? -1 : 1;
}

function renderRow<Candidate extends VolumeCandidate>(
  measured: Measured<Candidate>,
): VolumeRow<Candidate> {
  const { candidate, bar, volume, change, average, relative, dollars } = measured;
  const aboveAverage = addFractions(relative, {
    numerator: -FRACTION_ONE.numerator,
    denominator: FRACTION_ONE.denominator,
  });
  return {
    candidate,
    price: bar.close,
    changePercent: roundFraction(change, PLACES),
    volume: Number(roundFraction(volume, 0)),
    averageVolume: roundFraction(average, PLACES),
    relativeVolume: roundFraction(relative, PLACES),
    volumeChangePercent: roundFraction(multiplyFractions(aboveAverage, HUNDRED), PLACES),
    dollarVolume: roundFraction(dollars, MONEY_PLACES),
  };
}
