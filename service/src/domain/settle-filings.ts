import { medianOf } from './median.ts';
import type { Instant } from '../platform/instant.ts';
import {
  newYorkMinute,
  type SessionWord,
  settleAcceptance,
  type SettledAcceptance,
} from './acceptance-time.ts';
import { daysBetween, type LocalDate } from './local-date.ts';
import { newYorkOffsetMinutes } from './new-york.ts';

/** An acceptance time from a source, either certain or as its two possible readings. */
export type AcceptanceReading = { certain: Instant } | { ifNewYork: Instant; ifUtc: Instant };

/** A company's results filing. */
export interface FilingToSettle {
  accession: string;
  filingDate: LocalDate;
  /** Date of the news on the cover page. */
  coverDate?: LocalDate | null;
  /**
   * All distinct readings of this filing. Two responses on different clocks are enough to settle
   * it.
   */
  readings: readonly AcceptanceReading[];
  marker?: SessionWord | null;
  scheduledDate?: LocalDate | null;
}

interface Candidate {
  filing: FilingToSettle;
  ifNewYork: Instant;
  ifUtc: Instant;
  alone: SettledAcceptance | null;
}

const USUAL_COUNT = 8;
const HABIT_COUNT_MIN = 3;
/**
 * A company's usual minute may change over the years, so only eight quarters on either side are
 * used, plus some weeks for a late report.
 */
const HABIT_DAYS_MAX = 800;
/**
 * Read on the right clock, a company reports at the same minute all year. Read on the wrong clock,
 * its minute differs by an hour between winter and summer.
 */
const PUNCTUAL_MINUTES_MAX = 20;
const DRIFT_MINUTES_MIN = 40;

/**
 * Settles the acceptance times of all results filings by one company. Returns them by accession
 * number. Unambiguous filings determine the company's usual minute, and each ambiguous filing is
 * settled by the eight nearest unambiguous ones within about two years. If there are hardly any,
 * the clock is chosen on which the company reports at the same time in summer and winter. The
 * result doesn't depend on the order of the list. Null means that only the filing's index page
 * shows the time.
 */
export function settleFilings(
  filings: readonly FilingToSettle[],
): Map<string, SettledAcceptance | null> {
  const candidates = filings.map(toCandidate).toSorted(byDateAndAccession);
  const sure = candidates.filter((candidate) => isSure(candidate.alone));
  const unsure = candidates.filter((candidate) => !isSure(candidate.alone));
  const settled = new Map<string, SettledAcceptance | null>();
  for (const { filing, alone } of sure) settled.set(filing.accession, alone);
  for (const candidate of unsure) {
    settled.set(candidate.filing.accession, settleAlone(candidate, usualOf(candidate)));
  }
  return settled;

  function usualOf(target: Candidate): number[] {
    const clear = nearestMinutes(target, sure);
    if (clear.length >= HABIT_COUNT_MIN) return clear;
    const punctual = punctualMinutes(unsure.filter((other) => isOfItsTime(target, other)));
    return [...clear, ...punctual].slice(0, USUAL_COUNT);
  }
}

function toCandidate(filing: FilingToSettle): Candidate {
  const first = filing.readings[0];
  if (first === undefined) throw new Error(`no reading of filing ${filing.accession}`);
  const [ifNewYork, ifUtc] = commonReadings(filing.readings);
  const candidate = { filing, ifNewYork, ifUtc };
  return { ...candidate, alone: settleAlone(candidate, []) };
}

/**
 * Returns the instants that most readings allow; a single instant fills both places. If
 * contradictory readings leave more than two instants, uses the earliest pair, regardless of the
 * order of the list.
 */
function commonReadings(readings: readonly AcceptanceReading[]): [Instant, Instant] {
  const votes = new Map<Instant, number>();
  for (const at of readings.flatMap(instantsOf)) votes.set(at, (votes.get(at) ?? 0) + 1);
  const votesMax = Math.max(...votes.values());
  const common = [...votes].filter(([, count]) => count === votesMax).map(([at]) => at);
  const [only] = common;
  if (only !== undefined && common.length === 1) return [only, only];
  const whole = readings.map(instantsOf).filter((pair) => pair.every((at) => common.includes(at)));
  const [first = Number.NaN, second = first] = whole.toSorted((a, b) => sum(a) - sum(b))[0] ?? [];
  return [first, second];
}

/** Returns the possible instants of a reading, with the New York reading first. */
function instantsOf(reading: AcceptanceReading): Instant[] {
  if ('certain' in reading) return [reading.certain];
  return [...new Set([reading.ifNewYork, reading.ifUtc])];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function settleAlone(
  candidate: Omit<Candidate, 'alone'>,
  usualMinutes: readonly number[],
): SettledAcceptance | null {
  const { filing, ifNewYork, ifUtc } = candidate;
  const certain = filing.readings.find((reading) => 'certain' in reading);
  return settleAcceptance(
    { ifNewYork, ifUtc },
    {
      filingDate: filing.filingDate,
      coverDate: filing.coverDate ?? null,
      marker: filing.marker ?? null,
      scheduledDate: filing.scheduledDate ?? null,
      usualMinutes,
      ...(certain === undefined ? {} : { certain: certain.certain }),
    },
  );
}

function isSure(settled: SettledAcceptance | null): boolean {
  return settled !== null && !['guess', 'habit', 'cover-date'].includes(settled.confidence);
}

function nearestMinutes(target: Candidate, sure: readonly Candidate[]): number[] {
  return sure
    .filter((other) => isOfItsTime(target, other))
    .toSorted((a, b) => distance(a, target) - distance(b, target) || byDateAndAccession(a, b))
    .slice(0, USUAL_COUNT)
    .flatMap(({ alone }) => (alone === null ? [] : [newYorkMinute(alone.at)]));
}

function isOfItsTime(target: Candidate, other: Candidate): boolean {
  return distance(target, other) <= HABIT_DAYS_MAX;
}

function distance(a: Candidate, b: Candidate): number {
  return Math.abs(daysBetween(a.filing.filingDate, b.filing.filingDate));
}

/**
 * Returns the filings' minutes on the clock that shows the same time in summer and winter, if the
 * other clock doesn't.
 */
function punctualMinutes(unsure: readonly Candidate[]): number[] {
  const onNewYork = unsure.map((candidate) => candidate.ifNewYork);
  const onUtc = unsure.map((candidate) => candidate.ifUtc);
  const newYorkDrift = seasonalDrift(onNewYork);
  const utcDrift = seasonalDrift(onUtc);
  if (newYorkDrift === null || utcDrift === null) return [];
  if (newYorkDrift <= PUNCTUAL_MINUTES_MAX && utcDrift >= DRIFT_MINUTES_MIN) {
    return onNewYork.map(newYorkMinute);
  }
  if (utcDrift <= PUNCTUAL_MINUTES_MAX && newYorkDrift >= DRIFT_MINUTES_MIN) {
    return onUtc.map(newYorkMinute);
  }
  return [];
}

function seasonalDrift(instants: readonly Instant[]): number | null {
  const winter = instants.filter((at) => newYorkOffsetMinutes(at) === -300).map(newYorkMinute);
  const summer = instants.filter((at) => newYorkOffsetMinutes(at) === -240).map(newYorkMinute);
  const winterMiddle = medianOf(winter);
  const summerMiddle = medianOf(summer);
  if (winterMiddle === null || summerMiddle === null) return null;
  return Math.abs(winterMiddle - summerMiddle);
}

function byDateAndAccession(a: Candidate, b: Candidate): number {
  if (a.filing.filingDate !== b.filing.filingDate) {
    return a.filing.filingDate < b.filing.filingDate ? 1 : -1;
  }
  return a.filing.accession < b.filing.accession ? -1 : 1;
}
