import { periodLabel } from '../../domain/fiscal-period.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { latest } from '../source-records/observation-history.ts';
import type { CalendarHistory, FinancialsHistory } from './report-candidate.ts';
import type { CalendarObservation } from './observation.ts';
import { type PeriodGrid, snapToGrid } from './fiscal-calendar.ts';
import type { Left } from './withdrawn-rows.ts';

/** Quarterly filings follow the report by days; the next report comes two months later or more. */
const AFTER_FILING_DAYS_MAX = 30;

/**
 * Takes the period from rows of coming reports that name a quarter whose figures were filed long
 * before their day: it is the one of the last report, which they must not move. What the same row
 * said of that report, with the period, stays. Those that left their source are among both.
 */
export function takeOffStalePeriods(
  calendars: readonly CalendarHistory[],
  financials: readonly FinancialsHistory[],
  grid: PeriodGrid,
  left: Left,
): { calendars: CalendarHistory[]; left: Left } {
  const filedDates = filedDatesOf(financials, grid);
  const leftOnes = new Map(left);
  const taken = calendars.flatMap((history) => {
    const filedDate = filedDates.get(labelOf(latest(history).fields, grid) ?? '');
    if (filedDate === undefined) return [history];
    const isStale = ({ date }: CalendarObservation): boolean =>
      date > addDays(filedDate, AFTER_FILING_DAYS_MAX);
    const { eps, revenue, ...said } = latest(history).fields;
    if (eps != null || revenue != null || !isStale(said)) return [history];
    const own = history.observations.filter(({ fields }) => !isStale(fields));
    const coming: CalendarHistory = {
      ...history,
      observations: history.observations
        .filter(({ fields }) => isStale(fields))
        .map((observation) => ({ ...observation, fields: withoutPeriod(observation.fields) })),
    };
    const since = left.get(history);
    if (since !== undefined) leftOnes.set(coming, since);
    return own.length === 0 ? [coming] : [{ ...history, observations: own }, coming];
  });
  return { calendars: taken, left: leftOnes };
}

function withoutPeriod(fields: CalendarObservation): CalendarObservation {
  return { ...fields, fiscalPeriodEnd: null, fiscalYear: null, fiscalQuarter: null };
}

function labelOf(fields: CalendarObservation, grid: PeriodGrid): string | null {
  const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = fields;
  return end == null ? null : snapToGrid(periodLabel(end, precision ?? 'day'), grid);
}

/** When the figures of each quarter were first filed. */
function filedDatesOf(
  financials: readonly FinancialsHistory[],
  grid: PeriodGrid,
): Map<string, LocalDate> {
  const dates = new Map<string, LocalDate>();
  for (const history of financials) {
    const { periodEnd, revenue, epsDiluted, epsDilutedYear } = latest(history).fields;
    const label = snapToGrid(periodLabel(periodEnd, 'day'), grid);
    const known = dates.get(label);
    const [first] = [revenue, epsDiluted, epsDilutedYear]
      .flatMap((figure) => (figure == null ? [] : [figure.filedDate]))
      .toSorted();
    if (first !== undefined && (known === undefined || first > known)) dates.set(label, first);
  }
  return dates;
}
