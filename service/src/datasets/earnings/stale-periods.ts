import { periodLabel } from '../../domain/fiscal-period.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { latest } from '../source-records/observation-history.ts';
import { alignLabel, type FiscalCalendar } from './fiscal-calendar.ts';
import type { CalendarObservation } from './observation.ts';
import type { CalendarHistory, Derivation, FinancialsHistory } from './report-candidate.ts';

/**
 * A quarterly filing follows its report within days. The next report is at least two months later.
 */
const AFTER_FILING_DAYS_MAX = 30;

/**
 * Removes the period from rows for upcoming reports that still show the previous quarter, whose
 * figures were filed long before the row's date. Such a row must not move the previous report. Its
 * earlier observations of that report keep the period. A withdrawal applies to both parts.
 */
export function removeStalePeriods(derivation: Derivation): Derivation {
  const { financials, fiscalCalendar } = derivation;
  const filedDates = filedDatesOf(financials, fiscalCalendar);
  const withdrawals = new Map(derivation.withdrawals);
  const calendars = derivation.calendars.flatMap((history) => {
    const filedDate = filedDates.get(labelOf(latest(history).fields, fiscalCalendar) ?? '');
    if (filedDate === undefined) return [history];
    const isStale = ({ date }: CalendarObservation): boolean =>
      date > addDays(filedDate, AFTER_FILING_DAYS_MAX);
    const { eps, revenue, ...fields } = latest(history).fields;
    if (eps != null || revenue != null || !isStale(fields)) return [history];
    const previous = history.observations.filter((observation) => !isStale(observation.fields));
    const upcoming: CalendarHistory = {
      ...history,
      observations: history.observations
        .filter((observation) => isStale(observation.fields))
        .map((observation) => ({ ...observation, fields: withoutPeriod(observation.fields) })),
    };
    const withdrawnAt = withdrawals.get(history);
    if (withdrawnAt !== undefined) withdrawals.set(upcoming, withdrawnAt);
    return previous.length === 0 ? [upcoming] : [{ ...history, observations: previous }, upcoming];
  });
  return { ...derivation, calendars, withdrawals };
}

function withoutPeriod(fields: CalendarObservation): CalendarObservation {
  return { ...fields, fiscalPeriodEnd: null, fiscalYear: null, fiscalQuarter: null };
}

function labelOf(fields: CalendarObservation, fiscalCalendar: FiscalCalendar): string | null {
  const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = fields;
  return end == null ? null : alignLabel(periodLabel(end, precision ?? 'day'), fiscalCalendar);
}

/** Returns the date on which each quarter's figures were first filed. */
function filedDatesOf(
  financials: readonly FinancialsHistory[],
  fiscalCalendar: FiscalCalendar,
): Map<string, LocalDate> {
  const dates = new Map<string, LocalDate>();
  for (const history of financials) {
    const { periodEnd, revenue, epsDiluted, epsDilutedYear } = latest(history).fields;
    const label = alignLabel(periodLabel(periodEnd, 'day'), fiscalCalendar);
    const other = dates.get(label);
    const [first] = [revenue, epsDiluted, epsDilutedYear]
      .flatMap((figure) => (figure == null ? [] : [figure.filedDate]))
      .toSorted();
    if (first !== undefined && (other === undefined || first > other)) dates.set(label, first);
  }
  return dates;
}
