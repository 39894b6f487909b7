import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { settleFilings } from '../../domain/settle-filings.ts';
import { latest } from '../source-records/observation-history.ts';
import {
  type ReportCandidate,
  candidateAt,
  type FilingHistory,
  type QuarantineHistory,
  knownEnds,
  scheduledDate,
  type MatchedFiling,
} from './report-candidate.ts';
import { type FiscalCalendar, quarterBefore, usualEnds } from './fiscal-calendar.ts';
import { byPrecedence } from './precedence.ts';

/** A filing this near to a scheduled report is that report's. */
const SAME_REPORT_DAYS_MAX = 2;
/** A projected day further off than this is of another report, or the filing is no report. */
const PROJECTION_DAYS_MAX = 30;
/** Beside a projection only a filing this near to the usual distance is the report. */
const USUAL_OFF_DAYS_MAX = 14;
/** Most results come about a month after the quarter: taken while a company's own habit is unknown. */
const USUAL_LAG_DAYS = 30;
/** Years within which, and at least how many of which, the same quarter tells a habit. */
const SEASONS_DAYS_MAX = 3 * 366;
const SEASONS_MIN = 2;
/** Filings this near to each other are a report and what follows it: the first is the report. */
const SEQUEL_DAYS_MAX = 3;
/** Quarters that tell a company's habit. */
const HABIT_COUNT = 8;
/** No company reports a quarter this long after its end; a filing then is about something else. */
const LAG_DAYS_MAX = 110;

interface Placed {
  filing: MatchedFiling;
  label: string;
  lagDays: number;
}

/**
 * Ties 8-K filings of results to reports: to the scheduled date within two days, else, where no
 * calendar speaks of the quarter, to the quarter that ended before. Item 2.02 also carries
 * pre-announcements and monthly figures: of several filings in one quarter the one at the usual
 * distance from the quarter's end is the report, and the others are held.
 */
export function matchFilings(
  candidates: Map<string, ReportCandidate>,
  histories: readonly FilingHistory[],
  fiscalCalendar: FiscalCalendar,
  quarantine: QuarantineHistory,
): void {
  const rest = tieToSchedules(candidates, settle(histories, candidates), quarantine);
  const endOf = usualEnds(knownEnds(candidates));
  const placed = rest.map((filing) => {
    const label = quarterBefore(filing.date, fiscalCalendar, endOf);
    return { filing, label, lagDays: daysBetween(endOf(label), filing.date) };
  });
  const byQuarter = Map.groupBy(placed, (entry) => entry.label);
  const alone = [...byQuarter.values()].filter((entries) => entries.length === 1);
  const usualLagOf = (label: string): number =>
    medianLag(nearestQuarters(alone.flat(), label, endOf)) ?? USUAL_LAG_DAYS;
  for (const [label, entries] of byQuarter) {
    chooseReport(candidates, fiscalCalendar, label, entries, usualLagOf(label), quarantine);
  }
}

function chooseReport(
  candidates: Map<string, ReportCandidate>,
  fiscalCalendar: FiscalCalendar,
  label: string,
  entries: readonly Placed[],
  usualLag: number,
  quarantine: QuarantineHistory,
): void {
  const byDay = entries.toSorted(
    (a, b) => a.lagDays - b.lagDays || (accessionOf(a.filing) < accessionOf(b.filing) ? -1 : 1),
  );
  const off = ({ lagDays }: Placed): number => Math.abs(lagDays - usualLag);
  const [nearest] = byDay.toSorted((a, b) => off(a) - off(b));
  const report = byDay.find(
    ({ lagDays }) => nearest !== undefined && nearest.lagDays - lagDays <= SEQUEL_DAYS_MAX,
  );
  const known = candidates.get(label);
  const isUsual = report !== undefined && off(report) <= USUAL_OFF_DAYS_MAX;
  const isSpokenFor = known !== undefined && !isOpenTo(known, isUsual ? report.filing : null);
  for (const entry of byDay) {
    const { filing, lagDays } = entry;
    if (entry === report && !isSpokenFor && lagDays <= LAG_DAYS_MAX) {
      candidateAt(candidates, label, fiscalCalendar.phase !== null).filing = filing;
    } else {
      holdFiling(filing, `results filing beside the report of ${label}`, quarantine);
    }
  }
}

/**
 * Whether a filing that is near no scheduled day may be the report all the same: nobody names a day,
 * or those who do only project it, a projection is often weeks off, and the filing came when the
 * company usually reports (null: it did not).
 */
function isOpenTo(candidate: ReportCandidate, filing: MatchedFiling | null): boolean {
  if (candidate.filing !== null) return false;
  const date = scheduledDate(candidate);
  if (date === null || filing === null) return date === null;
  const isProjected = candidate.calendars.every(
    (history) => latest(history).fields.dateStatus === 'projected',
  );
  return isProjected && Math.abs(daysBetween(date, filing.date)) <= PROJECTION_DAYS_MAX;
}

/**
 * Each filing goes to the nearest scheduled report within two days; of several near one report the
 * nearest is tied, of equally near ones the first, and the others are held. Returns those near none.
 */
function tieToSchedules(
  candidates: Map<string, ReportCandidate>,
  filings: readonly MatchedFiling[],
  quarantine: QuarantineHistory,
): MatchedFiling[] {
  const rest: MatchedFiling[] = [];
  const near: { candidate: ReportCandidate; filing: MatchedFiling; days: number }[] = [];
  for (const filing of filings) {
    const scheduled = nearestScheduled(candidates, filing.date);
    if (scheduled === null) rest.push(filing);
    else near.push({ ...scheduled, filing });
  }
  for (const { candidate: draft, filing } of near.toSorted((a, b) => a.days - b.days)) {
    if (draft.filing === null) draft.filing = filing;
    else
      holdFiling(filing, `a second results filing near the report of ${draft.label}`, quarantine);
  }
  return rest;
}

function nearestScheduled(
  candidates: Map<string, ReportCandidate>,
  day: LocalDate,
): { candidate: ReportCandidate; date: LocalDate; days: number } | null {
  const near = [...candidates.values()]
    .flatMap((candidate) => {
      const date = scheduledDate(candidate);
      return date === null
        ? []
        : [{ draft: candidate, date, days: Math.abs(daysBetween(date, day)) }];
    })
    .filter(({ days }) => days <= SAME_REPORT_DAYS_MAX)
    .toSorted((a, b) => a.days - b.days || (a.draft.label < b.draft.label ? -1 : 1));
  return near[0] ?? null;
}

/** One entry a filing, oldest first, with the moment of acceptance settled where it can be. */
function settle(
  histories: readonly FilingHistory[],
  candidates: Map<string, ReportCandidate>,
): MatchedFiling[] {
  const byAccession = Map.groupBy(histories, (history) => latest(history).fields.accession);
  const settled = settleFilings(
    [...byAccession].map(([accession, group]) => {
      const filingDate = filingDateOf(group);
      const near = nearestScheduled(candidates, filingDate);
      return {
        accession,
        filingDate,
        readings: group.flatMap((history) =>
          history.observations.map(({ fields }) => fields.acceptance),
        ),
        marker: near === null ? null : markerOf(near.candidate),
        scheduledDate: near?.date ?? null,
      };
    }),
  );
  const filings = [...byAccession].map(([accession, group]): MatchedFiling => {
    const answer = settled.get(accession) ?? null;
    const at = answer === null || answer.confidence === 'guess' ? null : answer.at;
    return {
      histories: group,
      date: at === null ? filingDateOf(group) : newYorkDate(at),
      at,
      sourceUrl:
        group.map((history) => latest(history).fields.sourceUrl).find((url) => url !== null) ??
        null,
    };
  });
  return filings.toSorted(
    (a, b) =>
      (a.date < b.date ? -1 : a.date > b.date ? 1 : 0) ||
      (a.at ?? 0) - (b.at ?? 0) ||
      (accessionOf(a) < accessionOf(b) ? -1 : 1),
  );
}

function markerOf(candidate: ReportCandidate): 'time-pre-market' | 'time-after-hours' | null {
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
  const dates = histories.map((history) => latest(history).fields.filingDate).toSorted();
  const [first] = dates;
  if (first === undefined) throw new RangeError('a filing without threads');
  return first;
}

/**
 * Habits change over the years, and the last quarter of a year takes longer: the nearest quarters of
 * the same season tell, else the nearest of all.
 */
function nearestQuarters(
  placed: readonly Placed[],
  label: string,
  endOf: (label: string) => LocalDate,
): Placed[] {
  const distance = (entry: Placed): number =>
    Math.abs(daysBetween(endOf(entry.label), endOf(label)));
  const inSeason = placed.filter(
    (entry) => entry.label.slice(5) === label.slice(5) && distance(entry) <= SEASONS_DAYS_MAX,
  );
  return (inSeason.length >= SEASONS_MIN ? inSeason : placed)
    .toSorted((a, b) => distance(a) - distance(b) || (a.label < b.label ? -1 : 1))
    .slice(0, HABIT_COUNT);
}

function medianLag(quarters: readonly Placed[]): number | null {
  const lags = quarters.map((entry) => entry.lagDays).toSorted((a, b) => a - b);
  return lags[Math.floor(lags.length / 2)] ?? null;
}

function accessionOf(filing: MatchedFiling): string {
  const [history] = filing.histories;
  return history === undefined ? '' : latest(history).fields.accession;
}

function holdFiling(filing: MatchedFiling, detail: string, quarantine: QuarantineHistory): void {
  for (const history of filing.histories)
    quarantine(history, { reason: 'other-results-filing', detail });
}
