import type { Instant } from '../platform/instant.ts';
import { addDays, daysBetween, type LocalDate, weekdayOf } from './local-date.ts';
import { sessionOf } from './market/session-of.ts';
import { newYorkDate, newYorkTimeOfDayMs } from './new-york.ts';

/**
 * The acceptance time of an EDGAR filing. EDGAR's JSON ends every acceptance time in `Z`, but the
 * clock is New York's for some filings and UTC for others, within one response and changing over
 * time for one filing. Each text is read both ways, and this rule chooses.
 */
export interface AcceptanceCandidates {
  ifNewYork: Instant;
  ifUtc: Instant;
}

export interface AcceptanceEvidence {
  filingDate: LocalDate;
  /** The session named by an earnings calendar before the report. */
  marker: SessionWord | null;
  /** The day named by that calendar. A marker more than two days off is ignored. */
  scheduledDate: LocalDate | null;
  /** Minutes of the New York day of the company's settled results filings, newest first. */
  usualMinutes: readonly number[];
  /** The time from the filing's index page, which is always New York time. */
  certain?: Instant;
}

/** The session markers. */
export type SessionWord =
  | 'time-pre-market'
  | 'time-after-hours'
  | 'time-during-market'
  | 'time-not-supplied';

export interface SettledAcceptance {
  at: Instant;
  /** The rule that decided the reading. A `guess` alone must not set a date or session. */
  confidence: 'certain' | 'only-one-possible' | 'filing-date' | 'marker' | 'habit' | 'guess';
}

const MINUTE_MS = 60_000;
const EDGAR_OPENS = 6 * 60;
const EDGAR_CLOSES = 22 * 60;
/** A filing accepted until then is dated the same day, a later one the next business day. */
const SAME_DAY_UNTIL_MS = (17 * 60 + 30) * MINUTE_MS;
/** EDGAR kept the filing date open longer on that day: two filings at 18:49 and 18:55 carry it. */
const EXTENDED_DAYS: ReadonlySet<string> = new Set(['2020-07-30']);
const EXTENDED_UNTIL_MS = 19 * 60 * MINUTE_MS;
const USUAL_COUNT = 8;
const PUNCTUAL_MINUTES = 20;
const NEAR_MINUTES = 90;

/**
 * Chooses the reading of one filing, in this order: a certain time; the only reading within EDGAR's
 * hours (06:00 to 22:00 New York); the only one that agrees with the filing date; the only one in
 * the marker's session; the one at the company's usual minute; the only one outside the trading
 * session, because results are seldom filed in it (`guess`). Returns null if no reading is possible
 * or several remain. Then the filing's index page has to be fetched.
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
  const rules: [SettledAcceptance['confidence'], Instant | null][] = [
    ['filing-date', onlyOne(possible, (at) => agreesWithFilingDate(at, evidence.filingDate))],
    ['marker', onlyOne(possible, (at) => agreesWithMarker(at, evidence))],
    ['habit', atUsualMinute(possible, evidence.usualMinutes.slice(0, USUAL_COUNT))],
    ['guess', onlyOne(possible, (at) => sessionOf(at) !== 'time-during-market')],
  ];
  for (const [confidence, at] of rules) if (at !== null) return { at, confidence };
  return null;
}

/** Minutes since New York midnight, rounded down. */
export function newYorkMinute(at: Instant): number {
  return Math.floor(newYorkTimeOfDayMs(at) / MINUTE_MS);
}

/** The median, which is the mean of the two middle values for an even count; null for no values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}

function inEdgarHours(at: Instant): boolean {
  const minute = newYorkMinute(at);
  return minute >= EDGAR_OPENS && minute <= EDGAR_CLOSES;
}

/**
 * Counts business days without a holiday table. A gap over a weekend and up to two more weekdays
 * (holidays) is accepted, because the other reading is off by hours and not by days.
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

/**
 * Prefers the reading that is within twenty minutes of more usual minutes. Then, with three or more
 * known, the one within an hour and a half of their median. Anything further off is no habit.
 */
function atUsualMinute(possible: Instant[], usual: readonly number[]): Instant | null {
  const met = possible.map((at) => usual.filter((minute) => isNear(at, minute)).length);
  const [first = 0, second = 0] = met;
  if (first !== second) return possible[first > second ? 0 : 1] ?? null;
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
