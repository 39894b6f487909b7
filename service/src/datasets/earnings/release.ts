import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import {
  latest,
  type Observation,
  type ObservationHistory,
  unchangedSince,
} from '../source-records/observation-history.ts';
import type { CalendarObservation, ReportFigures, SessionMarker } from './observation.ts';
import type { ProjectedReport } from './projection/project-report.ts';
import { byPrecedence } from './precedence.ts';
import type { CalendarHistory, MatchedFiling, ReportCandidate } from './report-candidate.ts';
import type { FieldSource } from './row.ts';

/** Time when a report was or will be published, with the sources. */
export interface Release {
  date: LocalDate;
  dateSource: FieldSource;
  time: SessionMarker;
  timeSource: FieldSource;
  markerAhead: boolean;
  reportedAt: Instant | null;
  /** The source that shows that the report is out; null until a source does. */
  reportedSource: FieldSource | null;
  /** Estimates seen before this instant were seen before the results. */
  freezeAt: Instant;
  /** Set if the day is projected from past reports, because no source provides a date. */
  projected: ProjectedReport | null;
}

const OPEN_MINUTE = 9 * 60 + 30;
const USUAL_CLOSE_MINUTE = 16 * 60;
const EARLIEST_RELEASE_MINUTE = 4 * 60;

/**
 * Returns the date and session of a report. A session captured before it began takes precedence
 * over a later filing, because filings often follow the press release by hours. A filing from
 * before that session proves it wrong, and so does a filing whose cover page dates the news after
 * that day. Without a session, the acceptance time of the filing decides, unless results were seen
 * before it. Without a filing, the source's release time decides. Without any date, the projected
 * day is used. Null if there is none.
 */
export function resolveRelease(candidate: ReportCandidate, market: MarketCalendar): Release | null {
  const release = releaseOf(candidate, market) ?? projectedRelease(candidate);
  if (release === null) return null;
  // A filing may follow the release by hours, and a consensus seen together with results was not
  // captured before the release.
  const resultsSeenAt = firstResult(candidate, release.date)?.observation.at ?? Infinity;
  return { ...release, freezeAt: Math.min(release.freezeAt, resultsSeenAt) };
}

interface SeenResult {
  history: ObservationHistory<ReportFigures>;
  observation: Observation<ReportFigures>;
}

/** Returns the first observation with results on the report date or later. */
function firstResult({ calendars, figures }: ReportCandidate, date: LocalDate): SeenResult | null {
  const dayAt = newYorkInstant(date, 0);
  const histories: ObservationHistory<ReportFigures>[] = [...calendars, ...figures];
  const results = histories.flatMap((history) =>
    history.observations
      .filter(({ at, fields }) => at >= dayAt && resultIn(fields) !== null)
      .map((observation): SeenResult => ({ history, observation })),
  );
  return results.toSorted((a, b) => a.observation.at - b.observation.at)[0] ?? null;
}

/** Returns EPS, or revenue if EPS is missing. */
function resultIn({ eps, revenue }: ReportFigures): string | null {
  return eps ?? revenue ?? null;
}

function releaseOf(candidate: ReportCandidate, market: MarketCalendar): Release | null {
  const scheduled = scheduledRelease(candidate, market);
  const { filing } = candidate;
  if (filing === null) return scheduled;
  if (scheduled === null) return releaseOfFiling(filing, candidate, market);
  const { date, time, markerAhead } = scheduled;
  const isLater = filing.at === null || filing.at >= sessionStart(date, time, market);
  if (markerAhead && isLater && !(newsDate(filing) > date)) {
    const reportedAt = filing.at ?? scheduled.reportedAt;
    return { ...scheduled, reportedAt, reportedSource: filingSource(filing) };
  }
  return correctedByResults(releaseOfFiling(filing, candidate, market), candidate, market);
}

/**
 * Corrects the session of a filing that came after the release, as shown by a source that had
 * results in an earlier session that day. Results seen before the open were published before it. If
 * they were seen later, the session is unknown.
 */
function correctedByResults(
  release: Release,
  candidate: ReportCandidate,
  market: MarketCalendar,
): Release {
  const result = firstResult(candidate, release.date);
  if (result === null || release.reportedAt === null) return release;
  const { history, observation } = result;
  const session = sessionOf(observation.at, market);
  if (observation.at >= release.reportedAt || session === release.time) return release;
  const timeSource = sourceOf(history, observation, resultIn);
  if (session === 'time-pre-market') {
    return { ...release, time: session, timeSource, markerAhead: true };
  }
  return { ...release, time: 'time-not-supplied', timeSource, reportedAt: null };
}

function projectedRelease({ projected }: ReportCandidate): Release | null {
  if (projected === null) return null;
  const { date, session, source } = projected;
  return {
    date,
    dateSource: source,
    time: session.time,
    timeSource: source,
    markerAhead: false,
    reportedAt: null,
    reportedSource: null,
    freezeAt: newYorkInstant(date, 0),
    projected,
  };
}

/** Returns the release according to the preferred calendar. */
function scheduledRelease(candidate: ReportCandidate, market: MarketCalendar): Release | null {
  const [calendar] = candidate.calendars.toSorted(byPrecedence('date'));
  if (calendar === undefined) return null;
  const newest = latest(calendar);
  const { date } = newest.fields;
  const session = reportSession(candidate, date, market);
  const reportedAt = newest.fields.reportedAt ?? null;
  const reportedSource =
    reportedAt === null ? null : sourceOf(calendar, newest, (fields) => fields.reportedAt);
  const releasedAt = reportedAt !== null && newYorkDate(reportedAt) === date ? reportedAt : null;
  const time =
    session?.observation.fields.time ??
    (releasedAt === null ? 'time-not-supplied' : sessionOf(releasedAt, market));
  return {
    date,
    dateSource: sourceOf(calendar, newest, (fields) => fields.date),
    time,
    timeSource:
      session === null
        ? ((releasedAt === null ? null : reportedSource) ??
          sourceOf(calendar, newest, (fields) => fields.time))
        : sourceOf(session.history, session.observation, (fields) => fields.time),
    markerAhead: session?.isAhead ?? false,
    reportedAt,
    reportedSource,
    freezeAt: reportedAt ?? sessionStart(date, time, market),
    projected: null,
  };
}

/** An observation that includes the report session. */
interface SessionObservation {
  history: CalendarHistory;
  observation: Observation<CalendarObservation>;
  /** True if the observation was captured before the session ended. */
  isAhead: boolean;
}

/**
 * Returns the newest session captured ahead of the report, in order of precedence, or else a
 * session reported afterwards. Sources drop the session once a date is past, so a later value never
 * removes it.
 */
function reportSession(
  candidate: ReportCandidate,
  date: LocalDate,
  market: MarketCalendar,
): SessionObservation | null {
  const sessions = candidate.calendars.toSorted(byPrecedence('time')).flatMap((history) =>
    history.observations
      .toReversed()
      .filter(({ fields }) => fields.time !== 'time-not-supplied' && fields.date === date)
      .map((observation) => ({ history, observation, isAhead: isAhead(observation, market) })),
  );
  return sessions.find((session) => session.isAhead) ?? sessions[0] ?? null;
}

/**
 * Returns whether an observation was captured before the report's session ended. An observation
 * without a known time (at 0) is never treated as captured ahead.
 */
function isAhead(
  { at, fields }: Observation<CalendarObservation>,
  market: MarketCalendar,
): boolean {
  return at > 0 && at < sessionEnd(fields.date, fields.time, market);
}

/** Returns the earliest news date on the cover pages; empty if no cover page has a date. */
function newsDate({ histories }: MatchedFiling): string {
  const dates = histories.flatMap((history) => latest(history).fields.reportDate ?? []);
  return dates.toSorted()[0] ?? '';
}

function releaseOfFiling(
  filing: MatchedFiling,
  candidate: ReportCandidate,
  market: MarketCalendar,
): Release {
  const source = filingSource(filing);
  const { date, at, releaseSession } = filing;
  const release = {
    date,
    dateSource: source,
    timeSource: source,
    reportedSource: source,
    projected: null,
  };
  if (releaseSession !== null) {
    const calendar = reportSession(candidate, date, market);
    const time = calendar?.observation.fields.time ?? releaseSession;
    // The filing followed the release, so its time counts only if a session overrides it.
    const markerAhead = time !== 'time-not-supplied';
    const reportedAt = markerAhead ? at : null;
    return {
      ...release,
      time,
      markerAhead,
      reportedAt,
      freezeAt: sessionStart(date, time, market),
    };
  }
  const time = at === null ? 'time-not-supplied' : sessionOf(at, market);
  const freezeAt = at ?? sessionStart(date, time, market);
  return { ...release, time, markerAhead: false, reportedAt: at, freezeAt };
}

export function filingSource({ histories }: MatchedFiling): FieldSource {
  const [history] = histories;
  if (history === undefined) throw new RangeError('a filing without histories');
  const instants = histories.flatMap(({ observations }) => observations.map(({ at }) => at));
  return { provider: history.provider, feed: history.feed, seenAt: Math.min(...instants) };
}

/**
 * Returns whether the instant is before the open, during the session or after the close of its day.
 */
export function sessionOf(at: Instant, market: MarketCalendar): SessionMarker {
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

/**
 * Returns whether the date comes only from projections and the market was closed on it, while the
 * results are already out. They cannot have been published on that date.
 */
export function isRefutedProjection(
  { calendars, figures, financials, filing }: ReportCandidate,
  release: Release,
  market: MarketCalendar,
): boolean {
  const isOut = financials !== null && release.reportedAt === null;
  if (!isOut || filing !== null || market.isTradingDay(release.date)) return false;
  const dayAt = newYorkInstant(release.date, 0);
  return (
    figures.every(({ observations }) =>
      observations.every(({ fields }) => resultIn(fields) === null),
    ) &&
    calendars.every(({ observations }) =>
      observations.every(
        ({ at, fields }) =>
          at > 0 && at < dayAt && resultIn(fields) === null && fields.dateStatus === 'projected',
      ),
    )
  );
}

/** Returns the source of a value, with the instant since which it has been unchanged. */
export function sourceOf<Fields, Value>(
  history: ObservationHistory<Fields>,
  observation: Observation<Fields>,
  read: (fields: Fields) => Value,
): FieldSource {
  const seenAt = unchangedSince(history, observation, read);
  return { provider: history.provider, feed: history.feed, seenAt };
}
