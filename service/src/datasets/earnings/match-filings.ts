import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { settleFilings } from '../../domain/settle-filings.ts';
import { compareText } from '../../platform/compare.ts';
import { latest } from '../source-records/observation-history.ts';
import { quarterBefore, quarterEndEstimator } from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';
import {
  candidateAt,
  type Candidates,
  copyCandidates,
  type Derivation,
  type FilingHistory,
  type MatchedFiling,
  type QuarantinedHistory,
  quarterEnds,
  type ReportCandidate,
  scheduledDate,
} from './report-candidate.ts';

/** A filing within this many days of a scheduled report belongs to that report. */
const SAME_REPORT_DAYS_MAX = 2;
/** A projected date further away belongs to another report, or the filing is not a report. */
const PROJECTION_DAYS_MAX = 30;
/**
 * A filing that contradicts a projection is the report only if it is this close to the usual lag.
 */
const USUAL_LAG_TOLERANCE_DAYS = 14;
/**
 * Default lag if the company's own lag is unknown: most results are published about a month after
 * the quarter.
 */
const USUAL_LAG_DAYS = 30;
/**
 * Maximum distance in days to the same quarter of other years. If at least `SEASONS_MIN` of these
 * quarters are this close, they determine the usual lag.
 */
const SEASONS_DAYS_MAX = 3 * 366;
const SEASONS_MIN = 2;
/** Filings this close together are a report and its follow-ups; the first filing is the report. */
const FOLLOW_UP_DAYS_MAX = 3;
/** Number of quarters that determine a company's usual lag. */
const USUAL_LAG_QUARTERS = 8;
/** No company reports a quarter later than this. A later filing is about something else. */
const LAG_DAYS_MAX = 110;

interface PlacedFiling {
  filing: MatchedFiling;
  /** The quarter that ended before the filing. */
  label: string;
  /** Days from the quarter's end to the filing. */
  lagDays: number;
}

/**
 * Matches 8-K filings of results to reports: to a scheduled date within two days, or, if no
 * calendar schedules the quarter, to the last quarter that ended before the filing. Item 2.02 also
 * covers pre-announcements and monthly figures. If a quarter has several filings, the one closest
 * to the company's usual lag is the report, and the others are quarantined.
 */
export function matchFilings(derivation: Derivation): Derivation {
  const candidates = copyCandidates(derivation.candidates);
  const quarantined = [...derivation.quarantined];
  const filings = resolveAcceptance(derivation.filings, candidates);
  const unscheduled = matchToSchedules(candidates, filings, quarantined);
  const endOf = quarterEndEstimator(quarterEnds(candidates));
  const placed = unscheduled.map((filing): PlacedFiling => {
    const label = quarterBefore(filing.date, derivation.fiscalCalendar, endOf);
    return { filing, label, lagDays: daysBetween(endOf(label), filing.date) };
  });
  const byQuarter = Map.groupBy(placed, ({ label }) => label);
  const unambiguous = [...byQuarter.values()].filter(({ length }) => length === 1).flat();
  for (const [label, inQuarter] of byQuarter) {
    const usualLag = medianLag(nearestQuarters(unambiguous, label, endOf)) ?? USUAL_LAG_DAYS;
    const report = chooseReport(inQuarter, usualLag);
    const isMatched = report !== null && canMatch(candidates.get(label), report, usualLag);
    if (isMatched) {
      const isPeriodKnown = derivation.fiscalCalendar.phase !== null;
      candidateAt(candidates, label, isPeriodKnown).filing = report.filing;
    }
    for (const { filing } of byLag(inQuarter)) {
      if (isMatched && filing === report.filing) continue;
      const detail = `results filing in addition to the report of ${label}`;
      quarantined.push(...otherFiling(filing, detail));
    }
  }
  return { ...derivation, candidates, quarantined };
}

/**
 * Returns the filing closest to the usual lag, or the first of the filings up to three days before
 * it.
 */
function chooseReport(filings: readonly PlacedFiling[], usualLag: number): PlacedFiling | null {
  const ordered = byLag(filings);
  const [nearest] = ordered.toSorted((a, b) => distance(a, usualLag) - distance(b, usualLag));
  if (nearest === undefined) return null;
  return ordered.find(({ lagDays }) => nearest.lagDays - lagDays <= FOLLOW_UP_DAYS_MAX) ?? null;
}

function byLag(filings: readonly PlacedFiling[]): PlacedFiling[] {
  return filings.toSorted(
    (a, b) => a.lagDays - b.lagDays || compareText(accessionOf(a.filing), accessionOf(b.filing)),
  );
}

function distance({ lagDays }: PlacedFiling, usualLag: number): number {
  return Math.abs(lagDays - usualLag);
}

/**
 * Returns whether a filing that is not near any scheduled date may still be the candidate's report.
 * The lag must be usual, and the candidate must have no date, or only projected dates, which are
 * often weeks off.
 */
function canMatch(
  candidate: ReportCandidate | undefined,
  report: PlacedFiling,
  usualLag: number,
): boolean {
  if (report.lagDays > LAG_DAYS_MAX) return false;
  if (candidate === undefined) return true;
  if (candidate.filing !== null) return false;
  const date = scheduledDate(candidate);
  if (date === null) return true;
  if (distance(report, usualLag) > USUAL_LAG_TOLERANCE_DAYS) return false;
  const isProjected = candidate.calendars.every(
    (history) => latest(history).fields.dateStatus === 'projected',
  );
  return isProjected && Math.abs(daysBetween(date, report.filing.date)) <= PROJECTION_DAYS_MAX;
}

/**
 * Matches each filing to the nearest scheduled report within two days. If several filings are near
 * one report, the nearest is matched (the first if several are equally near), and the others are
 * quarantined. Returns the filings that are not near any scheduled report.
 */
function matchToSchedules(
  candidates: Candidates,
  filings: readonly MatchedFiling[],
  quarantined: QuarantinedHistory[],
): MatchedFiling[] {
  const unscheduled: MatchedFiling[] = [];
  const near: { candidate: ReportCandidate; filing: MatchedFiling; days: number }[] = [];
  for (const filing of filings) {
    const scheduled = nearestScheduled(candidates, filing.date);
    if (scheduled === null) unscheduled.push(filing);
    else near.push({ ...scheduled, filing });
  }
  for (const { candidate, filing } of near.toSorted((a, b) => a.days - b.days)) {
    if (candidate.filing === null) candidate.filing = filing;
    else {
      const detail = `a second results filing near the report of ${candidate.label}`;
      quarantined.push(...otherFiling(filing, detail));
    }
  }
  return unscheduled;
}

function nearestScheduled(
  candidates: Candidates,
  day: LocalDate,
): { candidate: ReportCandidate; date: LocalDate; days: number } | null {
  const near = [...candidates.values()]
    .flatMap((candidate) => {
      const date = scheduledDate(candidate);
      return date === null ? [] : [{ candidate, date, days: Math.abs(daysBetween(date, day)) }];
    })
    .filter(({ days }) => days <= SAME_REPORT_DAYS_MAX)
    .toSorted((a, b) => a.days - b.days || compareText(a.candidate.label, b.candidate.label));
  return near[0] ?? null;
}

/** Returns one item per filing, oldest first, with the acceptance time if it can be determined. */
function resolveAcceptance(
  histories: readonly FilingHistory[],
  candidates: Candidates,
): MatchedFiling[] {
  const byAccession = Map.groupBy(histories, (history) => latest(history).fields.accession);
  const acceptances = settleFilings(
    [...byAccession].map(([accession, group]) => {
      const filingDate = filingDateOf(group);
      const near = nearestScheduled(candidates, filingDate);
      return {
        accession,
        filingDate,
        readings: group.flatMap((history) =>
          history.observations.map(({ fields }) => fields.acceptance),
        ),
        marker: near === null ? null : sessionOf(near.candidate),
        scheduledDate: near?.date ?? null,
      };
    }),
  );
  const filings = [...byAccession].map(([accession, group]): MatchedFiling => {
    const acceptance = acceptances.get(accession) ?? null;
    const at = acceptance === null || acceptance.confidence === 'guess' ? null : acceptance.at;
    const urls = group.map((history) => latest(history).fields.sourceUrl);
    return {
      histories: group,
      date: at === null ? filingDateOf(group) : newYorkDate(at),
      at,
      sourceUrl: urls.find((url) => url !== null) ?? null,
    };
  });
  return filings.toSorted(
    (a, b) =>
      compareText(a.date, b.date) ||
      (a.at ?? 0) - (b.at ?? 0) ||
      compareText(accessionOf(a), accessionOf(b)),
  );
}

/**
 * Returns the latest session before the open or after the close that the preferred calendar
 * reported.
 */
function sessionOf(candidate: ReportCandidate): 'time-pre-market' | 'time-after-hours' | null {
  for (const history of candidate.calendars.toSorted(byPrecedence('time'))) {
    for (const { fields } of history.observations.toReversed()) {
      if (fields.time === 'time-pre-market' || fields.time === 'time-after-hours') {
        return fields.time;
      }
    }
  }
  return null;
}

function filingDateOf(histories: readonly FilingHistory[]): LocalDate {
  const [first] = histories.map((history) => latest(history).fields.filingDate).toSorted();
  if (first === undefined) throw new RangeError('a filing without histories');
  return first;
}

/**
 * Returns the quarters that determine the usual lag. Habits change over the years, and the last
 * quarter of a year takes longer, so the nearest quarters of the same season are used, or else the
 * nearest quarters of any season.
 */
function nearestQuarters(
  filings: readonly PlacedFiling[],
  label: string,
  endOf: (label: string) => LocalDate,
): PlacedFiling[] {
  const daysApart = (filing: PlacedFiling): number =>
    Math.abs(daysBetween(endOf(filing.label), endOf(label)));
  const sameSeason = filings.filter(
    (filing) => filing.label.slice(5) === label.slice(5) && daysApart(filing) <= SEASONS_DAYS_MAX,
  );
  return (sameSeason.length >= SEASONS_MIN ? sameSeason : filings)
    .toSorted((a, b) => daysApart(a) - daysApart(b) || compareText(a.label, b.label))
    .slice(0, USUAL_LAG_QUARTERS);
}

function medianLag(quarters: readonly PlacedFiling[]): number | null {
  const lags = quarters.map(({ lagDays }) => lagDays).toSorted((a, b) => a - b);
  return lags[Math.floor(lags.length / 2)] ?? null;
}

function accessionOf({ histories }: MatchedFiling): string {
  const [history] = histories;
  return history === undefined ? '' : latest(history).fields.accession;
}

function otherFiling({ histories }: MatchedFiling, detail: string): QuarantinedHistory[] {
  return histories.map((history) => ({
    history,
    reason: { reason: 'other-results-filing', detail },
  }));
}
