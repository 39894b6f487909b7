import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import {
  latest,
  unchangedSince,
  type Observation,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import type { CalendarHistory, ReportCandidate, MatchedFiling } from './report-candidate.ts';
import type { CalendarObservation, ReportFigures, SessionMarker } from './observation.ts';
import { byPrecedence } from './precedence.ts';
import type { FieldSource } from './row.ts';

/** When a report comes or came out, and who says so. */
export interface Release {
  date: LocalDate;
  dateSource: FieldSource;
  time: SessionMarker;
  timeSource: FieldSource;
  markerAhead: boolean;
  reportedAt: Instant | null;
  /** Who told that the report is out; null while nobody has. */
  reportedSource: FieldSource | null;
  /** An estimate seen before this moment was surely seen before the results. */
  freezeAt: Instant;
}

const OPEN_MINUTE = 9 * 60 + 30;
const USUAL_CLOSE_MINUTE = 16 * 60;
const EARLIEST_RELEASE_MINUTE = 4 * 60;

/**
 * Date and session of a report. A marker captured ahead of its session wins over a later filing,
 * since filings often follow the press release by hours; a filing before that session proves the
 * marker wrong, and so does one whose cover dates the news after that day. Without a marker the
 * filing's own clock tells, unless results were seen before, and without both the moment of that day
 * that a source gives. Null when nothing names a day.
 */
export function resolveRelease(candidate: ReportCandidate, market: MarketCalendar): Release | null {
  const release = releaseOf(candidate, market);
  if (release === null) return null;
  return {
    ...release,
    freezeAt: Math.min(release.freezeAt, resultsSeenAt(candidate, release.date)),
  };
}

/**
 * When a source first showed results on the day of the report or later: a filing may follow by hours,
 * and a consensus seen with results was not seen ahead. Infinity when none did.
 */
function resultsSeenAt(candidate: ReportCandidate, date: LocalDate): number {
  return resultsSeen(candidate, date)?.observation.at ?? Number.POSITIVE_INFINITY;
}

interface Seen {
  history: ObservationHistory<ReportFigures>;
  observation: Observation<ReportFigures>;
}

function resultsSeen({ calendars, figures }: ReportCandidate, date: LocalDate): Seen | null {
  const dayAt = newYorkInstant(date, 0);
  const histories: ObservationHistory<ReportFigures>[] = [...calendars, ...figures];
  const seen = histories.flatMap((history) =>
    history.observations
      .filter(({ at, fields }) => at >= dayAt && resultIn(fields) !== null)
      .map((observation): Seen => ({ history, observation })),
  );
  return seen.toSorted((a, b) => a.observation.at - b.observation.at)[0] ?? null;
}

/** The result that a source shows, whichever it has. */
export function resultIn({ eps, revenue }: ReportFigures): string | null {
  return eps ?? revenue ?? null;
}

function releaseOf(candidate: ReportCandidate, market: MarketCalendar): Release | null {
  const scheduled = scheduleOf(candidate, market);
  const { filing } = candidate;
  if (filing === null) return scheduled;
  if (scheduled === null) return fromFiling(filing, market);
  const { date, time, markerAhead } = scheduled;
  const isLater = filing.at === null || filing.at >= sessionStart(date, time, market);
  if (markerAhead && isLater && !(newsDate(filing) > date)) {
    const reportedAt = filing.at ?? scheduled.reportedAt;
    return { ...scheduled, reportedAt, reportedSource: filingSource(filing) };
  }
  return notAfterSeen(fromFiling(filing, market), candidate, market);
}

/**
 * Results that a source showed in an earlier session of the day than the filing's: the filing only
 * followed. Seen before the open they were out before it; seen later nobody knows the session.
 */
function notAfterSeen(
  release: Release,
  candidate: ReportCandidate,
  market: MarketCalendar,
): Release {
  const seen = resultsSeen(candidate, release.date);
  if (seen === null || release.reportedAt === null) return release;
  const { history, observation } = seen;
  const session = sessionOf(observation.at, market);
  if (observation.at >= release.reportedAt || session === release.time) return release;
  const timeSource = sourceOf(history, observation, resultIn);
  if (session === 'time-pre-market') {
    return { ...release, time: session, timeSource, markerAhead: true };
  }
  return { ...release, time: 'time-not-supplied', timeSource, reportedAt: null };
}

function scheduleOf(candidate: ReportCandidate, market: MarketCalendar): Release | null {
  const [dated] = candidate.calendars.toSorted(byPrecedence('date'));
  if (dated === undefined) return null;
  const newest = latest(dated);
  const { date } = newest.fields;
  const marker = markerFor(candidate, date, market);
  const reportedAt = newest.fields.reportedAt ?? null;
  const reportedSource =
    reportedAt === null ? null : sourceOf(dated, newest, (fields) => fields.reportedAt);
  const known = reportedAt !== null && newYorkDate(reportedAt) === date ? reportedAt : null;
  const told = known === null ? 'time-not-supplied' : sessionOf(known, market);
  const time = marker?.observation.fields.time ?? told;
  return {
    date,
    dateSource: sourceOf(dated, newest, (fields) => fields.date),
    time,
    timeSource:
      marker === null
        ? ((known === null ? null : reportedSource) ??
          sourceOf(dated, newest, (fields) => fields.time))
        : sourceOf(marker.history, marker.observation, (fields) => fields.time),
    markerAhead: marker?.isAhead ?? false,
    reportedAt,
    reportedSource,
    freezeAt: reportedAt ?? sessionStart(date, time, market),
  };
}

interface Marker {
  history: CalendarHistory;
  observation: Observation<CalendarObservation>;
  isAhead: boolean;
}

/**
 * The newest marker captured ahead of the report, by precedence of feeds; else one given after the
 * fact. Sources drop the marker once a date is past, so what they say later never takes it away.
 */
function markerFor(
  candidate: ReportCandidate,
  date: LocalDate,
  market: MarketCalendar,
): Marker | null {
  const markers = candidate.calendars.toSorted(byPrecedence('time')).flatMap((history) =>
    history.observations
      .toReversed()
      .filter(({ fields }) => fields.time !== 'time-not-supplied' && fields.date === date)
      .map((observation) => ({
        history,
        observation,
        isAhead: isAhead(observation, market),
      })),
  );
  return markers.find((marker) => marker.isAhead) ?? markers[0] ?? null;
}

/** An answer without a time of its own (at 0) proves nothing of when it was captured. */
function isAhead(
  { at, fields }: Observation<CalendarObservation>,
  market: MarketCalendar,
): boolean {
  return at > 0 && at < sessionEnd(fields.date, fields.time, market);
}

/** The day of the news by the cover page, the earliest of several; empty when none tells. */
function newsDate({ histories }: MatchedFiling): string {
  const dates = histories.flatMap((history) => latest(history).fields.reportDate ?? []);
  return dates.toSorted()[0] ?? '';
}

function fromFiling(filing: MatchedFiling, market: MarketCalendar): Release {
  const source = filingSource(filing);
  const time = filing.at === null ? 'time-not-supplied' : sessionOf(filing.at, market);
  return {
    date: filing.date,
    dateSource: source,
    time,
    timeSource: source,
    markerAhead: false,
    reportedAt: filing.at,
    reportedSource: source,
    freezeAt: filing.at ?? sessionStart(filing.date, time, market),
  };
}

function filingSource({ histories }: MatchedFiling): FieldSource {
  const [history] = histories;
  if (history === undefined) throw new RangeError('a filing without threads');
  const seenAt = Math.min(
    ...histories.flatMap(({ observations }) => observations.map(({ at }) => at)),
  );
  return { provider: history.provider, feed: history.feed, seenAt };
}

/** Before the open, from the close (of that very day), or during the session. */
function sessionOf(at: Instant, market: MarketCalendar): SessionMarker {
  const date = newYorkDate(at);
  if (at < newYorkInstant(date, OPEN_MINUTE)) return 'time-pre-market';
  return at >= closeOf(date, market) ? 'time-after-hours' : 'time-during-market';
}

function sessionStart(date: LocalDate, time: SessionMarker, market: MarketCalendar): Instant {
  if (time === 'time-after-hours') return closeOf(date, market);
  if (time === 'time-during-market') return newYorkInstant(date, OPEN_MINUTE);
  return newYorkInstant(date, time === 'time-pre-market' ? EARLIEST_RELEASE_MINUTE : 0);
}

function sessionEnd(date: LocalDate, time: SessionMarker, market: MarketCalendar): Instant {
  return time === 'time-pre-market' ? newYorkInstant(date, OPEN_MINUTE) : closeOf(date, market);
}

function closeOf(date: LocalDate, market: MarketCalendar): Instant {
  return newYorkInstant(date, market.day(date).close ?? USUAL_CLOSE_MINUTE);
}

export function sourceOf<Fields, Value>(
  history: ObservationHistory<Fields>,
  observation: Observation<Fields>,
  read: (fields: Fields) => Value,
): FieldSource {
  return {
    provider: history.provider,
    feed: history.feed,
    seenAt: unchangedSince(history, observation, read),
  };
}
