import { periodLabel } from '../../domain/fiscal-period.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { QuarantineReason } from '../dataset.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type {
  CalendarObservation,
  FiguresObservation,
  FilingObservation,
  FinancialsObservation,
} from './observation.ts';
import { byPrecedence } from './precedence.ts';
import {
  type FiscalCalendar,
  quarterAfter,
  quarterBefore,
  alignLabel,
  usualEnds,
} from './fiscal-calendar.ts';

export type CalendarHistory = ObservationHistory<CalendarObservation>;
export type FiguresHistory = ObservationHistory<FiguresObservation>;
export type FinancialsHistory = ObservationHistory<FinancialsObservation>;
export type FilingHistory = ObservationHistory<FilingObservation>;

/** Everything that speaks of one fiscal quarter, before a row is made of it. */
export interface ReportCandidate {
  /** `YYYY-MM` on the company's grid. */
  label: string;
  /** False when no source named the period and it was reckoned from the report date. */
  isPeriodKnown: boolean;
  calendars: CalendarHistory[];
  /** Those that left their source before their day came: they tell nothing but since when. */
  cancelled: CalendarHistory[];
  /** Those in whose place their source named this period: they tell what was said ahead. */
  replaced: CalendarHistory[];
  /** Words on the quarter's figures that name no day of its report. */
  figures: FiguresHistory[];
  financials: FinancialsHistory | null;
  filing: MatchedFiling | null;
}

export interface MatchedFiling {
  histories: FilingHistory[];
  date: LocalDate;
  /** Null when only the filing's own page could tell the time. */
  at: Instant | null;
  sourceUrl: string | null;
}

export type QuarantineHistory = (
  history: ObservationHistory<unknown>,
  reason: QuarantineReason,
) => void;

/** Days within which a report without a period is taken for one whose period is known. */
const SAME_REPORT_DAYS_MAX = 45;

/** Drafts from every source that names the fiscal period. */
export function candidatesByPeriod(
  calendars: readonly CalendarHistory[],
  financials: readonly FinancialsHistory[],
  fiscalCalendar: FiscalCalendar,
  quarantine: QuarantineHistory,
): Map<string, ReportCandidate> {
  const candidates = new Map<string, ReportCandidate>();
  for (const history of financials) {
    const candidate = candidateAt(
      candidates,
      alignLabel(periodLabel(latest(history).fields.periodEnd, 'day'), fiscalCalendar),
    );
    const loser =
      candidate.financials === null ? null : earlierPeriod(candidate.financials, history);
    candidate.financials = loser === history ? candidate.financials : history;
    if (loser !== null) {
      quarantine(loser, {
        reason: 'period-collision',
        detail: 'another quarter has the same label',
      });
    }
  }
  for (const history of calendars) {
    const { fiscalPeriodEnd, fiscalPeriodPrecision } = latest(history).fields;
    if (fiscalPeriodEnd == null) continue;
    const label = periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision ?? 'day');
    candidateAt(candidates, alignLabel(label, fiscalCalendar)).calendars.push(history);
  }
  return candidates;
}

/**
 * Joins rows that name no period to the report nearest in date, within 45 days; two equally near
 * are a tie, and the row is held, or goes to the earlier one when an operator accepted it. One that
 * is near to none is a report of its own.
 */
export function addUndatedRows(
  candidates: Map<string, ReportCandidate>,
  calendars: readonly CalendarHistory[],
  fiscalCalendar: FiscalCalendar,
  quarantine: QuarantineHistory,
): void {
  const dated = [...candidates.values()].flatMap((candidate) => {
    const date = scheduledDate(candidate) ?? candidate.filing?.date ?? null;
    return date === null ? [] : [{ draft: candidate, date }];
  });
  const endOf = usualEnds(knownEnds(candidates));
  const alone = new Map<string, CalendarHistory[]>();
  for (const history of calendars) {
    const { fiscalPeriodEnd, date } = latest(history).fields;
    if (fiscalPeriodEnd != null) continue;
    const near = dated
      .map((entry) => ({ ...entry, days: Math.abs(daysBetween(entry.date, date)) }))
      .filter(({ days }) => days <= SAME_REPORT_DAYS_MAX)
      .toSorted((a, b) => a.days - b.days || (a.date < b.date ? -1 : 1));
    const [first, second] = near;
    const isTie = first !== undefined && first.days === second?.days;
    if (isTie && latest(history).isAccepted !== true) {
      quarantine(history, {
        reason: 'ambiguous-period',
        detail: `${date} lies as near to one report as to another`,
      });
    } else if (first !== undefined) {
      first.draft.calendars.push(history);
    } else {
      const label = quarterBefore(date, fiscalCalendar, endOf);
      alone.set(label, [...(alone.get(label) ?? []), history]);
    }
  }
  addByDate(candidates, alone, quarantine);
}

/** Gives figures that name no day to the report of their quarter; without one they are held. */
export function addFigures(
  candidates: Map<string, ReportCandidate>,
  figures: readonly FiguresHistory[],
  fiscalCalendar: FiscalCalendar,
  quarantine: QuarantineHistory,
): void {
  for (const history of figures) {
    const { fiscalPeriodEnd, fiscalPeriodPrecision } = latest(history).fields;
    const label = alignLabel(periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision), fiscalCalendar);
    const candidate = candidates.get(label);
    if (candidate !== undefined) candidate.figures.push(history);
    else quarantine(history, NO_DATE);
  }
}

export const NO_DATE: QuarantineReason = {
  reason: 'release-date-unknown',
  detail: 'the figures are known, the day they were released is not',
};

/** The day the most believed calendar names; null when no calendar speaks. */
export function scheduledDate(candidate: ReportCandidate): LocalDate | null {
  const [first] = candidate.calendars.toSorted(byPrecedence('date'));
  return first === undefined ? null : latest(first).fields.date;
}

/**
 * Rows by the quarter that ended before their day. Two reports of one company may fall on one such
 * quarter when its own are not those of the calendar, as on 10 April and 20 June: the later is then
 * of the next quarter. Oldest first, so that a coming report never changes the quarter of a past one.
 */
function addByDate(
  candidates: Map<string, ReportCandidate>,
  alone: ReadonlyMap<string, readonly CalendarHistory[]>,
  quarantine: QuarantineHistory,
): void {
  const told = new Set(candidates.keys());
  let last = '';
  for (const [label, histories] of [...alone].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const believed = histories.toSorted(byPrecedence('date'));
    if (told.has(label)) {
      for (const history of believed) addToKnownPeriod(candidates, history, label, quarantine);
      continue;
    }
    for (const report of reportsOf(believed, label, quarantine)) {
      const free = last < label ? label : quarterAfter(label);
      const isTaken = free <= last || told.has(free);
      for (const history of report) {
        if (isTaken) quarantineOther(history, label, quarantine);
        else candidateAt(candidates, free, false).calendars.push(history);
      }
      if (!isTaken) last = free;
    }
  }
}

/** To a report of which other sources tell; held when that is on a day far off. */
function addToKnownPeriod(
  candidates: Map<string, ReportCandidate>,
  history: CalendarHistory,
  label: string,
  quarantine: QuarantineHistory,
): void {
  const candidate = candidateAt(candidates, label);
  const date = scheduledDate(candidate) ?? candidate.filing?.date ?? null;
  const isNear = date === null || isNearDay(date, history);
  if (isNear || latest(history).isAccepted === true) candidate.calendars.push(history);
  else quarantineOther(history, label, quarantine);
}

/**
 * The reports that rows of one label are about, oldest first, from rows the most believed of which
 * comes first. A row far off the others is of another report, unless it may be an old or a new word
 * on the same one: a projected day moves by months.
 */
function reportsOf(
  believed: readonly CalendarHistory[],
  label: string,
  quarantine: QuarantineHistory,
): CalendarHistory[][] {
  const reports: { first: CalendarHistory; histories: CalendarHistory[] }[] = [];
  for (const history of believed) {
    const isAccepted = latest(history).isAccepted === true;
    const own =
      reports.find(({ first }) => isNearDay(latest(first).fields.date, history)) ??
      (isAccepted ? reports[0] : undefined);
    if (own !== undefined) own.histories.push(history);
    else if (reports.every(({ first }) => areTwoReports(first, history))) {
      reports.push({ first: history, histories: [history] });
    } else quarantineOther(history, label, quarantine);
  }
  const dayOf = ({ first }: { first: CalendarHistory }): LocalDate => latest(first).fields.date;
  return reports
    .toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : 1))
    .map(({ histories }) => histories);
}

/** Whether rows far apart cannot be about one report: both days are sure, and no quarter is shared. */
function areTwoReports(a: CalendarHistory, b: CalendarHistory): boolean {
  const [one, other] = [latest(a).fields, latest(b).fields];
  if (one.dateStatus === 'projected' || other.dateStatus === 'projected') return false;
  if (one.fiscalYear == null || one.fiscalQuarter == null) return true;
  return one.fiscalYear !== other.fiscalYear || one.fiscalQuarter !== other.fiscalQuarter;
}

function isNearDay(date: LocalDate, history: CalendarHistory): boolean {
  return Math.abs(daysBetween(date, latest(history).fields.date)) <= SAME_REPORT_DAYS_MAX;
}

function quarantineOther(
  history: CalendarHistory,
  label: string,
  quarantine: QuarantineHistory,
): void {
  quarantine(history, {
    reason: 'ambiguous-period',
    detail: `the quarter ${label} has a report on another date`,
  });
}

/** Exact ends of quarters, from reported figures. */
export function knownEnds(candidates: Map<string, ReportCandidate>): Map<string, LocalDate> {
  const ends = new Map<string, LocalDate>();
  for (const { label, financials } of candidates.values()) {
    if (financials !== null) ends.set(label, latest(financials).fields.periodEnd);
  }
  return ends;
}

/** The draft of a quarter, made when there is none; one whose period was once known stays so. */
export function candidateAt(
  candidates: Map<string, ReportCandidate>,
  label: string,
  isPeriodKnown = true,
): ReportCandidate {
  const known = candidates.get(label);
  if (known !== undefined) return known;
  const candidate: ReportCandidate = {
    label,
    isPeriodKnown,
    calendars: [],
    cancelled: [],
    replaced: [],
    figures: [],
    financials: null,
    filing: null,
  };
  candidates.set(label, candidate);
  return candidate;
}

function earlierPeriod(a: FinancialsHistory, b: FinancialsHistory): FinancialsHistory {
  return latest(a).fields.periodEnd < latest(b).fields.periodEnd ? a : b;
}
