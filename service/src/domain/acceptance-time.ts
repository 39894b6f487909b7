import { medianOf } from './median.ts';
import type { Instant } from '../platform/instant.ts';
import { addDays, daysBetween, type LocalDate, weekdayOf } from './local-date.ts';
import { sessionOf } from './market/session-of.ts';
import { newYorkDate, newYorkTimeOfDayMs } from './new-york.ts';

/**
 * The two readings of an EDGAR filing's acceptance time. In EDGAR's JSON, every acceptance time
 * ends in `Z`, but some are New York time and others are UTC, even within one response, and this
 * may change over time for the same filing. Each text is therefore read both ways, and
 * `settleAcceptance` chooses.
 */
export interface AcceptanceCandidates {
  ifNewYork: Instant;
  ifUtc: Instant;
}

export interface AcceptanceEvidence {
  filingDate: LocalDate;
  /** Date of the news on the cover page. */
  coverDate?: LocalDate | null;
  /** Session in which the report is due, according to an earnings calendar. */
  marker: SessionWord | null;
  /**
   * Day for which the calendar announced the report. If it is more than two days away from the
   * filing, the marker is ignored.
   */
  scheduledDate: LocalDate | null;
  /**
   * Minutes of the New York day at which the company's earlier results filings were accepted,
   * newest first.
   */
  usualMinutes: readonly number[];
  /** Time from the filing's index page, which is always New York time. */
  certain?: Instant;
}

/** Session markers, which say when a report is published relative to the session. */
export type SessionWord =
  | 'time-pre-market'
  | 'time-after-hours'
  | 'time-during-market'
  | 'time-not-supplied';

export interface SettledAcceptance {
  at: Instant;
  /** The rule that determined the reading. A `guess` alone must not determine a date or session. */
  confidence:
    | 'certain'
    | 'only-one-possible'
    | 'filing-date'
    | 'marker'
    | 'habit'
    | 'cover-date'
    | 'guess';
}

const MINUTE_MS = 60_000;
const EDGAR_OPENS = 6 * 60;
const EDGAR_CLOSES = 22 * 60;
/**
 * A filing accepted by this time is dated the same day; a later one is dated the next business day.
 */
const SAME_DAY_UNTIL_MS = (17 * 60 + 30) * MINUTE_MS;
/**
 * On these days, EDGAR kept the filing date open longer. On 2020-07-30, filings accepted at 18:49
 * and 18:55 have that date.
 */
const EXTENDED_DAYS: ReadonlySet<string> = new Set(['2020-07-30']);
const EXTENDED_UNTIL_MS = 19 * 60 * MINUTE_MS;
const USUAL_COUNT = 8;
const PUNCTUAL_MINUTES = 20;
const NEAR_MINUTES = 90;

/**
 * Chooses between the two readings of a filing's acceptance time. Applies these rules in order: a
 * certain time; the only reading within EDGAR's hours (06:00 to 22:00 New York); the only reading
 * that agrees with the filing date; the only one in the marker's session; the one at the company's
 * usual minute; the only one that is not a whole day after the news on the cover page; the one near
 * the middle of the company's usual minutes; the only one outside the trading session, because
 * results are seldom filed during it (`guess`). Returns null if no reading is possible or several remain; the filing's index page
 * must then be fetched.
 */
export function settleAcceptance(
  candidates: AcceptanceCandidates,
  evidence: AcceptanceEvidence,
): SettledAcceptance | null {
  if (evidence.certain !== undefined) return { at: evidence.certain, confidence: 'certain' };
  const possible = distinct([candidates.ifNewYork, candidates.ifUtc]).filter(inEdgarHours);
  const [only, other] = possible;
  if (only === undefined) return null;
  if (other === undefined) return { at: only, confidence: 'only-one-possible' };
  const usualMinutes = evidence.usualMinutes.slice(0, USUAL_COUNT);
  const rules: [SettledAcceptance['confidence'], Instant | null][] = [
    ['filing-date', onlyOne(possible, (at) => agreesWithFilingDate(at, evidence.filingDate))],
    ['marker', onlyOne(possible, (at) => agreesWithMarker(at, evidence))],
    ['habit', atUsualMinute(possible, usualMinutes)],
    ['cover-date', onlyOne(possible, (at) => agreesWithCover(at, evidence.coverDate ?? null))],
    ['habit', nearUsualMinutes(possible, usualMinutes)],
    ['guess', onlyOne(possible, (at) => sessionOf(at) !== 'time-during-market')],
  ];
  for (const [confidence, at] of rules) if (at !== null) return { at, confidence };
  return null;
}

/** Returns the minutes since New York midnight, rounded down. */
export function newYorkMinute(at: Instant): number {
  return Math.floor(newYorkTimeOfDayMs(at) / MINUTE_MS);
}

function inEdgarHours(at: Instant): boolean {
  const minute = newYorkMinute(at);
  return minute >= EDGAR_OPENS && minute <= EDGAR_CLOSES;
}

/**
 * Checks the filing date by counting business days without a holiday table. Accepts a gap over a
 * weekend and up to two more weekdays (holidays), because the wrong reading is off by hours, not
 * days.
 */
function agreesWithFilingDate(at: Instant, filingDate: LocalDate): boolean {
  const date = newYorkDate(at);
  const timeOfDayMs = newYorkTimeOfDayMs(at);
  const sameDayUntilMs = EXTENDED_DAYS.has(date) ? EXTENDED_UNTIL_MS : SAME_DAY_UNTIL_MS;
  if (date === filingDate) return timeOfDayMs <= sameDayUntilMs && !isWeekend(date);
  if (timeOfDayMs <= SAME_DAY_UNTIL_MS && !isWeekend(date)) return false;
  const days = daysBetween(date, filingDate);
  if (days < 1 || days > 5) return false;
  let weekdaysBetween = 0;
  for (let day = 1; day < days; day++) if (!isWeekend(addDays(date, day))) weekdaysBetween++;
  return weekdaysBetween <= 1;
}

function isWeekend(date: LocalDate): boolean {
  const weekday = weekdayOf(date);
  return weekday === 0 || weekday === 6;
}

function agreesWithMarker(at: Instant, evidence: AcceptanceEvidence): boolean {
  const { marker, scheduledDate } = evidence;
  if (marker === null || marker === 'time-not-supplied') return false;
  if (scheduledDate !== null && Math.abs(daysBetween(scheduledDate, newYorkDate(at))) > 2) {
    return false;
  }
  return sessionOf(at) === marker;
}

/** Returns false if the filing came after the close of a later day than the news. */
function agreesWithCover(at: Instant, coverDate: LocalDate | null): boolean {
  if (coverDate === null || coverDate >= newYorkDate(at)) return true;
  return sessionOf(at) !== 'time-after-hours';
}

/** Chooses the reading that is within twenty minutes of more of the usual minutes. */
function atUsualMinute(possible: Instant[], usual: readonly number[]): Instant | null {
  const met = possible.map((at) => usual.filter((minute) => isNear(at, minute)).length);
  const [first = 0, second = 0] = met;
  return first === second ? null : (possible[first > second ? 0 : 1] ?? null);
}

/**
 * Chooses the reading within an hour and a half of the median of the usual minutes, if there are at
 * least three.
 */
function nearUsualMinutes(possible: Instant[], usual: readonly number[]): Instant | null {
  const middle = usual.length >= 3 ? medianOf(usual) : null;
  if (middle === null) return null;
  return onlyOne(possible, (at) => Math.abs(newYorkMinute(at) - middle) <= NEAR_MINUTES);
}

function isNear(at: Instant, minute: number): boolean {
  return Math.abs(newYorkMinute(at) - minute) <= PUNCTUAL_MINUTES;
}

function onlyOne(possible: Instant[], fits: (at: Instant) => boolean): Instant | null {
  const fitting = possible.filter(fits);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function distinct(instants: Instant[]): Instant[] {
  return [...new Set(instants)];
}
