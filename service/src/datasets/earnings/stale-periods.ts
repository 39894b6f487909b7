import { periodLabel } from '../../domain/fiscal-period.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { latest } from '../source-records/observation-history.ts';
import type { CalendarHistory, FinancialsHistory } from './report-candidate.ts';
import type { CalendarObservation } from './observation.ts';
import { type FiscalCalendar, alignLabel } from './fiscal-calendar.ts';
import type { Withdrawals } from './withdrawn-rows.ts';

/** Quarterly filings follow the report by days; the next report comes two months later or more. */
const AFTER_FILING_DAYS_MAX = 30;

/**
 * Takes the period from rows of coming reports that name a quarter whose figures were filed long
 * before their day: it is the one of the last report, which they must not move. What the same row
 * said of that report, with the period, stays. Those that left their source are among both.
 */
export function removeStalePeriods(
  calendars: readonly CalendarHistory[],
  financials: readonly FinancialsHistory[],
  fiscalCalendar: FiscalCalendar,
  withdrawals: Withdrawals,
): { calendars: CalendarHistory[]; withdrawals: Withdrawals } {
  const filedDates = filedDatesOf(financials, fiscalCalendar);
  const updatedWithdrawals = new Map(withdrawals);
  const taken = calendars.flatMap((history) => {
    const filedDate = filedDates.get(labelOf(latest(history).fields, fiscalCalendar) ?? '');
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
    const since = withdrawals.get(history);
    if (since !== undefined) updatedWithdrawals.set(coming, since);
    return own.length === 0 ? [coming] : [{ ...history, observations: own }, coming];
  });
  return { calendars: taken, withdrawals: updatedWithdrawals };
}

function withoutPeriod(fields: CalendarObservation): CalendarObservation {
  return { ...fields, fiscalPeriodEnd: null, fiscalYear: null, fiscalQuarter: null };
}

function labelOf(fields: CalendarObservation, fiscalCalendar: FiscalCalendar): string | null {
  const { fiscalPeriodEnd: end, fiscalPeriodPrecision: precision } = fields;
  return end == null ? null : alignLabel(periodLabel(end, precision ?? 'day'), fiscalCalendar);
}

/** When the figures of each quarter were first filed. */
function filedDatesOf(
  financials: readonly FinancialsHistory[],
  fiscalCalendar: FiscalCalendar,
): Map<string, LocalDate> {
  const dates = new Map<string, LocalDate>();
  for (const history of financials) {
    const { periodEnd, revenue, epsDiluted, epsDilutedYear } = latest(history).fields;
    const label = alignLabel(periodLabel(periodEnd, 'day'), fiscalCalendar);
    const known = dates.get(label);
    const [first] = [revenue, epsDiluted, epsDilutedYear]
      .flatMap((figure) => (figure == null ? [] : [figure.filedDate]))
      .toSorted();
    if (first !== undefined && (known === undefined || first > known)) dates.set(label, first);
  }
  return dates;
}
