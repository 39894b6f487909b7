import { periodLabel } from '../../domain/fiscal-period.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { HeldReason } from '../dataset.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type {
  CalendarObservation,
  FiguresObservation,
  FilingObservation,
  FinancialsObservation,
} from './observation.ts';
import { byPrecedence } from './precedence.ts';
import {
  type PeriodGrid,
  quarterAfter,
  quarterBefore,
  snapToGrid,
  usualEnds,
} from './fiscal-calendar.ts';

export type CalendarHistory = ObservationHistory<CalendarObservation>;
export type FiguresHistory = ObservationHistory<FiguresObservation>;
export type FinancialsHistory = ObservationHistory<FinancialsObservation>;
export type FilingHistory = ObservationHistory<FilingObservation>;

/** Everything that speaks of one fiscal quarter, before a row is made of it. */
export interface Draft {
  /** `YYYY-MM` on the company's grid. */
  label: string;
  /** False when no source named the period and it was reckoned from the report date. */
  isPeriodKnown: boolean;
  calendars: CalendarHistory[];
  /** Those that left their source before their day came: they tell nothing but since when. */
  struck: CalendarHistory[];
  /** Those in whose place their source named this period: they tell what was said ahead. */
  replaced: CalendarHistory[];
  /** Words on the quarter's figures that name no day of its report. */
  figures: FiguresHistory[];
  financials: FinancialsHistory | null;
  filing: TiedFiling | null;
}

export interface TiedFiling {
  histories: FilingHistory[];
  date: LocalDate;
  /** Null when only the filing's own page could tell the time. */
  at: Instant | null;
  sourceUrl: string | null;
}

export type Hold = (history: ObservationHistory<unknown>, why: HeldReason) => void;

/** Days within which a report without a period is taken for one whose period is known. */
const SAME_REPORT_DAYS_MAX = 45;

/** Drafts from every source that names the fiscal period. */
export function draftsOfPeriods(
  calendars: readonly CalendarHistory[],
  financials: readonly FinancialsHistory[],
  grid: PeriodGrid,
  hold: Hold,
): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  for (const history of financials) {
    const draft = draftAt(
      drafts,
      snapToGrid(periodLabel(latest(history).fields.periodEnd, 'day'), grid),
    );
    const loser = draft.financials === null ? null : earlierPeriod(draft.financials, history);
    draft.financials = loser === history ? draft.financials : history;
    if (loser !== null) {
      hold(loser, { reason: 'period-collision', detail: 'another quarter has the same label' });
    }
  }
  for (const history of calendars) {
    const { fiscalPeriodEnd, fiscalPeriodPrecision } = latest(history).fields;
    if (fiscalPeriodEnd == null) continue;
    const label = periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision ?? 'day');
    draftAt(drafts, snapToGrid(label, grid)).calendars.push(history);
  }
  return drafts;
}

/**
 * Joins rows that name no period to the report nearest in date, within 45 days; two equally near
 * are a tie, and the row is held, or goes to the earlier one when an operator accepted it. One that
 * is near to none is a report of its own.
 */
export function joinUndated(
  drafts: Map<string, Draft>,
  calendars: readonly CalendarHistory[],
  grid: PeriodGrid,
  hold: Hold,
): void {
  const dated = [...drafts.values()].flatMap((draft) => {
    const date = scheduledDate(draft) ?? draft.filing?.date ?? null;
    return date === null ? [] : [{ draft, date }];
  });
  const endOf = usualEnds(knownEnds(drafts));
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
      hold(history, {
        reason: 'ambiguous-period',
        detail: `${date} lies as near to one report as to another`,
      });
    } else if (first !== undefined) {
      first.draft.calendars.push(history);
    } else {
      const label = quarterBefore(date, grid, endOf);
      alone.set(label, [...(alone.get(label) ?? []), history]);
    }
  }
  joinReckoned(drafts, alone, hold);
}

/** Gives figures that name no day to the report of their quarter; without one they are held. */
export function joinFigures(
  drafts: Map<string, Draft>,
  figures: readonly FiguresHistory[],
  grid: PeriodGrid,
  hold: Hold,
): void {
  for (const history of figures) {
    const { fiscalPeriodEnd, fiscalPeriodPrecision } = latest(history).fields;
    const label = snapToGrid(periodLabel(fiscalPeriodEnd, fiscalPeriodPrecision), grid);
    const draft = drafts.get(label);
    if (draft !== undefined) draft.figures.push(history);
    else hold(history, NO_DATE);
  }
}

export const NO_DATE: HeldReason = {
  reason: 'release-date-unknown',
  detail: 'the figures are known, the day they were released is not',
};

/** The day the most believed calendar names; null when no calendar speaks. */
export function scheduledDate(draft: Draft): LocalDate | null {
  const [first] = draft.calendars.toSorted(byPrecedence('date'));
  return first === undefined ? null : latest(first).fields.date;
}

/**
 * Rows by the quarter that ended before their day. Two reports of one company may fall on one such
 * quarter when its own are not those of the calendar, as on 10 April and 20 June: the later is then
 * of the next quarter. Oldest first, so that a coming report never changes the quarter of a past one.
 */
function joinReckoned(
  drafts: Map<string, Draft>,
  alone: ReadonlyMap<string, readonly CalendarHistory[]>,
  hold: Hold,
): void {
  const told = new Set(drafts.keys());
  let last = '';
  for (const [label, histories] of [...alone].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const believed = histories.toSorted(byPrecedence('date'));
    if (told.has(label)) {
      for (const history of believed) joinTold(drafts, history, label, hold);
      continue;
    }
    for (const report of reportsOf(believed, label, hold)) {
      const free = last < label ? label : quarterAfter(label);
      const isTaken = free <= last || told.has(free);
      for (const history of report) {
        if (isTaken) holdOther(history, label, hold);
        else draftAt(drafts, free, false).calendars.push(history);
      }
      if (!isTaken) last = free;
    }
  }
}

/** To a report of which other sources tell; held when that is on a day far off. */
function joinTold(
  drafts: Map<string, Draft>,
  history: CalendarHistory,
  label: string,
  hold: Hold,
): void {
  const draft = draftAt(drafts, label);
  const date = scheduledDate(draft) ?? draft.filing?.date ?? null;
  const isNear = date === null || isNearDay(date, history);
  if (isNear || latest(history).isAccepted === true) draft.calendars.push(history);
  else holdOther(history, label, hold);
}

/**
 * The reports that rows of one label are about, oldest first, from rows the most believed of which
 * comes first. A row far off the others is of another report, unless it may be an old or a new word
 * on the same one: a projected day moves by months.
 */
function reportsOf(
  believed: readonly CalendarHistory[],
  label: string,
  hold: Hold,
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
    } else holdOther(history, label, hold);
  }
  const dayOf = ({ first }: { first: CalendarHistory }): LocalDate => latest(first).fields.date;
  return reports
    .toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : 1))
    .map(({ histories: threads }) => threads);
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

function holdOther(history: CalendarHistory, label: string, hold: Hold): void {
  hold(history, {
    reason: 'ambiguous-period',
    detail: `the quarter ${label} has a report on another date`,
  });
}

/** Exact ends of quarters, from reported figures. */
export function knownEnds(drafts: Map<string, Draft>): Map<string, LocalDate> {
  const ends = new Map<string, LocalDate>();
  for (const { label, financials } of drafts.values()) {
    if (financials !== null) ends.set(label, latest(financials).fields.periodEnd);
  }
  return ends;
}

/** The draft of a quarter, made when there is none; one whose period was once known stays so. */
export function draftAt(drafts: Map<string, Draft>, label: string, isPeriodKnown = true): Draft {
  const known = drafts.get(label);
  if (known !== undefined) return known;
  const draft: Draft = {
    label,
    isPeriodKnown,
    calendars: [],
    struck: [],
    replaced: [],
    figures: [],
    financials: null,
    filing: null,
  };
  drafts.set(label, draft);
  return draft;
}

function earlierPeriod(a: FinancialsHistory, b: FinancialsHistory): FinancialsHistory {
  return latest(a).fields.periodEnd < latest(b).fields.periodEnd ? a : b;
}
