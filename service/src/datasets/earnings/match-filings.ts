import { periodLabel } from '../../domain/fiscal-period.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import { latest } from '../source-records/observation-history.ts';
import { earlyQuarterEnds } from './early-quarter-ends.ts';
import {
  alignLabel,
  type FiscalCalendar,
  quarterBefore,
  quarterEndEstimator,
} from './fiscal-calendar.ts';
import {
  candidateAt,
  type Candidates,
  copyCandidates,
  type Derivation,
  type MatchedFiling,
  type QuarantinedHistory,
  quarterEnds,
  type ReportCandidate,
  scheduledDate,
} from './report-candidate.ts';
import { habitFor, type KnownReport, type ReportHabit } from './report-habits.ts';
import { collectFilings, repeatedFilings } from './results-filings.ts';
import { nearDates, nearestScheduled } from './scheduled-reports.ts';

/** A projected date further away belongs to another report, or the filing is not a report. */
const PROJECTION_DAYS_MAX = 30;
/** A filing further from the usual lag is the report only if its size says so. */
const USUAL_LAG_TOLERANCE_DAYS = 14;
/** A small filing is the report only if it is this close to the usual lag. */
const SMALL_TOLERANCE_DAYS = 7;
/** A filing is small if it has less than this part of the size of a usual report. */
const SMALL_PART = 0.4;
/** Filings this close together are a report and its follow-ups; the first filing is the report. */
const FOLLOW_UP_DAYS_MAX = 3;
/** As above, if sizes exclude that the first filing is a short notice ahead of the report. */
const LARGE_FOLLOW_UP_DAYS_MAX = 10;
/** No company reports a quarter later than this. A later filing is about something else. */
export const LAG_DAYS_MAX = 110;

interface PlacedFiling {
  filing: MatchedFiling;
  /** The quarter of the nearest scheduled report, or else the one that ended before the filing. */
  label: string;
  /** Days from the quarter's end to the filing. */
  lagDays: number;
  /** Days to the nearest date in a calendar; null if no date is near. */
  scheduledDays: number | null;
  /** True if a calendar has that date as more than a projection. */
  isFirm: boolean;
}

/**
 * Matches 8-K filings of results to reports: one to a quarter. Item 2.02 also covers
 * pre-announcements, deliveries, monthly figures, transcripts and amendments. The report is, in
 * this order: the filing near a date that a calendar has, with or without a fiscal period; a filing
 * that does not repeat an earlier one and is not much smaller than the company's reports; the
 * filing closest to the company's usual lag. Only quarters with a single possible report determine
 * the usual lag and size. All other filings are quarantined.
 */
export function matchFilings(derivation: Derivation): Derivation {
  const candidates = copyCandidates(derivation.candidates);
  const quarantined = [...derivation.quarantined];
  const { fiscalCalendar } = derivation;
  const filings = collectFilings(derivation);
  const repeated = repeatedFilings(filings);
  const isPeriodKnown = fiscalCalendar.phase !== null;
  const originals = filings.filter(({ accession }) => !repeated.has(accession));
  const ends = quarterEnds(candidates);
  const dates = originals.map(({ date }) => date);
  const endOf = quarterEndEstimator(ends.size > 0 ? ends : earlyQuarterEnds(dates, fiscalCalendar));
  const byQuarter = Map.groupBy(placeFilings(originals, derivation, endOf), ({ label }) => label);
  const known = knownReports(byQuarter, candidates, endOf);
  const [lastLabel] = [...byQuarter.keys()].toSorted(compareText).toReversed();
  for (const [label, inQuarter] of byQuarter) {
    const habit = habitFor(label, known, endOf);
    const report = chooseReport(inQuarter, habit);
    const isOnly = inQuarter.length === 1 && label !== lastLabel;
    const isMatched = report !== null && canMatch(candidates.get(label), report, habit, isOnly);
    if (isMatched) {
      const { accession } = report.filing;
      const repeatedBy = filings.filter(
        (each) => repeated.get(each.accession)?.accession === accession,
      );
      candidateAt(candidates, label, isPeriodKnown).filing = {
        ...report.filing,
        repeatedBy: repeatedBy.map((each) => each.accession),
      };
    }
    for (const { filing } of byLag(inQuarter)) {
      if (isMatched && filing === report.filing) continue;
      const detail = `results filing in addition to the report of ${label}`;
      quarantined.push(...otherFiling(filing, detail));
    }
  }
  for (const filing of filings) {
    const original = repeated.get(filing.accession);
    if (original === undefined) continue;
    quarantined.push(...otherFiling(filing, `repeats the news of filing ${original.accession}`));
  }
  return { ...derivation, candidates, quarantined };
}

function placeFilings(
  filings: readonly MatchedFiling[],
  { candidates, calendars, releases, fiscalCalendar }: Derivation,
  endOf: (label: string) => LocalDate,
): PlacedFiling[] {
  const undated = calendars.filter((history) => latest(history).fields.fiscalPeriodEnd == null);
  const statedEnds = new Map(
    releases.map((history) => {
      const { accession, periodEnd } = latest(history).fields;
      return [accession, periodEnd];
    }),
  );
  return filings.map((filing): PlacedFiling => {
    const near = nearestScheduled(candidates, filing.date);
    const stated = statedLabel(statedEnds.get(filing.accession), filing, fiscalCalendar);
    const label =
      near?.candidate.label ?? stated ?? quarterBefore(filing.date, fiscalCalendar, endOf);
    const dates = [...(near === null ? [] : [near]), ...nearDates(undated, filing.date)];
    return {
      filing,
      label,
      lagDays: daysBetween(endOf(label), filing.date),
      scheduledDays: dates.length === 0 ? null : Math.min(...dates.map(({ days }) => days)),
      isFirm: dates.some(({ isFirm }) => isFirm),
    };
  });
}

/** Returns the quarter that a press release in the filing reports, if it can be that quarter. */
function statedLabel(
  periodEnd: LocalDate | undefined,
  { date }: MatchedFiling,
  fiscalCalendar: FiscalCalendar,
): string | null {
  if (periodEnd === undefined) return null;
  const lagDays = daysBetween(periodEnd, date);
  if (lagDays <= 0 || lagDays > LAG_DAYS_MAX) return null;
  return alignLabel(periodLabel(periodEnd, 'day'), fiscalCalendar);
}

/**
 * Returns the quarters whose report is known without doubt: by a date in a calendar, or because
 * only one of the filings can be the report.
 */
function knownReports(
  byQuarter: ReadonlyMap<string, readonly PlacedFiling[]>,
  candidates: Candidates,
  endOf: (label: string) => LocalDate,
): KnownReport[] {
  const labels = [...new Set([...byQuarter.keys(), ...candidates.keys()])];
  const certain = labels.flatMap((label) => knownReport(label, (filings) => filings));
  return labels.flatMap((label) =>
    knownReport(label, (filings) => {
      return substantial(filings, habitFor(label, certain, endOf).sizeBytes);
    }),
  );

  function knownReport(
    label: string,
    select: (filings: readonly PlacedFiling[]) => readonly PlacedFiling[],
  ): KnownReport[] {
    const inQuarter = byQuarter.get(label) ?? [];
    const firm = inQuarter.filter(({ isFirm }) => isFirm);
    const date = firmDate(candidates.get(label));
    if (firm.length === 0 && date !== null) {
      return [{ label, lagDays: daysBetween(endOf(label), date), sizeBytes: null }];
    }
    const [only, ...others] = select(firm.length > 0 ? firm : inQuarter);
    if (only === undefined || others.length > 0) return [];
    return [{ label, lagDays: only.lagDays, sizeBytes: only.filing.sizeBytes }];
  }
}

/** Returns the date of a report if a calendar has more than a projection. */
function firmDate(candidate: ReportCandidate | undefined): LocalDate | null {
  if (candidate === undefined || isProjected(candidate)) return null;
  return scheduledDate(candidate);
}

function isProjected({ calendars }: ReportCandidate): boolean {
  return calendars.every((history) => latest(history).fields.dateStatus === 'projected');
}

/** Returns the filings that may be the report, without short notices and amendments. */
function substantial(
  filings: readonly PlacedFiling[],
  usualSize: number | null,
): readonly PlacedFiling[] {
  const reference = usualSize ?? Math.max(...filings.map(({ filing }) => filing.sizeBytes ?? 0));
  const large = filings.filter(
    ({ filing }) => (filing.sizeBytes ?? Infinity) >= SMALL_PART * reference,
  );
  const first = large.filter(({ filing }) => !filing.isAmendment);
  return first.length > 0 ? first : large;
}

/**
 * Returns the filing nearest to a date that a calendar has. Without one, returns the filing closest
 * to the usual lag, or to a projection if no lag is usual, or the first of the filings shortly
 * before it.
 */
function chooseReport(filings: readonly PlacedFiling[], habit: ReportHabit): PlacedFiling | null {
  const firm = filings.filter(({ isFirm }) => isFirm);
  if (firm.length > 0) {
    const possible = substantial(firm, habit.sizeBytes);
    return closest(possible.length > 0 ? possible : firm, daysFromSchedule);
  }
  const possible = substantial(filings, habit.sizeBytes);
  const ordered = byLag(possible.length > 0 ? possible : filings);
  const nearest =
    (habit.isKnown ? null : closest(ordered.filter(isScheduled), daysFromSchedule)) ??
    closest(ordered, (filing) => offBy(filing, habit));
  if (nearest === null) return null;
  const isLarge = possible.length > 0 && ordered.every(({ filing }) => filing.sizeBytes !== null);
  const daysMax = isLarge ? LARGE_FOLLOW_UP_DAYS_MAX : FOLLOW_UP_DAYS_MAX;
  return ordered.find(({ lagDays }) => nearest.lagDays - lagDays <= daysMax) ?? null;
}

/** Returns the filing with the smallest distance, or the first of several. */
function closest(
  filings: readonly PlacedFiling[],
  distanceOf: (filing: PlacedFiling) => number,
): PlacedFiling | null {
  return byLag(filings).toSorted((a, b) => distanceOf(a) - distanceOf(b))[0] ?? null;
}

function isScheduled({ scheduledDays }: PlacedFiling): boolean {
  return scheduledDays !== null;
}

function daysFromSchedule({ scheduledDays }: PlacedFiling): number {
  return scheduledDays ?? Infinity;
}

function byLag(filings: readonly PlacedFiling[]): PlacedFiling[] {
  return filings.toSorted(
    (a, b) => a.lagDays - b.lagDays || compareText(a.filing.accession, b.filing.accession),
  );
}

function offBy({ lagDays }: PlacedFiling, habit: ReportHabit): number {
  return Math.abs(lagDays - habit.lagDays);
}

/**
 * Returns whether the filing may be the candidate's report. If it is not near any scheduled date,
 * its lag or its size must be usual, and the candidate must have no date, or only projected dates,
 * which are often weeks off.
 */
function canMatch(
  candidate: ReportCandidate | undefined,
  report: PlacedFiling,
  habit: ReportHabit,
  isOnly: boolean,
): boolean {
  if (report.isFirm) return true;
  if (report.lagDays > LAG_DAYS_MAX || isNotice(report, habit)) return false;
  if (isScheduled(report)) return true;
  if (!isOnly && !isUsual(report, habit)) return false;
  const date = candidate === undefined ? null : scheduledDate(candidate);
  if (candidate === undefined || date === null) return true;
  if (!isProjected(candidate)) return false;
  if (!isOnly && offBy(report, habit) > USUAL_LAG_TOLERANCE_DAYS) return false;
  return Math.abs(daysBetween(date, report.filing.date)) <= PROJECTION_DAYS_MAX;
}

/** Returns whether the filing is small and not on the usual day: a notice, not a report. */
function isNotice(report: PlacedFiling, habit: ReportHabit): boolean {
  const { sizeBytes } = report.filing;
  if (sizeBytes === null || habit.sizeBytes === null) return false;
  return sizeBytes < SMALL_PART * habit.sizeBytes && offBy(report, habit) > SMALL_TOLERANCE_DAYS;
}

/**
 * Returns whether the filing can be a report of this company. If its size proves nothing, it must
 * not come long before the usual day: deliveries and pre-announcements do.
 */
function isUsual(report: PlacedFiling, habit: ReportHabit): boolean {
  const isSizeKnown = report.filing.sizeBytes !== null && habit.sizeBytes !== null;
  if (!habit.isKnown || isSizeKnown || report.lagDays > habit.lagDays) return true;
  return offBy(report, habit) <= USUAL_LAG_TOLERANCE_DAYS;
}

function otherFiling({ histories }: MatchedFiling, detail: string): QuarantinedHistory[] {
  return histories.map((history) => ({
    history,
    reason: { reason: 'other-results-filing', detail },
  }));
}
