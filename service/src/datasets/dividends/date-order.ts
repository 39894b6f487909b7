import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { QuarantineReason } from '../dataset.ts';

/** The four dates of a dividend; null if unknown. */
export interface DividendDates {
  declarationDate: LocalDate | null;
  exDate: LocalDate;
  recordDate: LocalDate | null;
  paymentDate: LocalDate | null;
}

/**
 * Returns the inconsistency in the dates of an ordinary U.S. cash dividend, or null if there is
 * none. Such a dividend is declared, goes ex, is recorded on the ex-date or later, and is then
 * paid. Unknown dates are not faults.
 */
export function faultOfDates(dates: DividendDates): QuarantineReason | null {
  const { declarationDate, exDate, recordDate, paymentDate } = dates;
  if (declarationDate !== null && declarationDate > exDate) {
    return {
      reason: 'declared-after-ex-date',
      detail: `declared on ${declarationDate}, ex on ${exDate}`,
    };
  }
  if (recordDate !== null && recordDate < exDate) {
    return {
      reason: 'recorded-before-ex-date',
      detail: `recorded on ${recordDate}, ex on ${exDate}`,
    };
  }
  if (paymentDate !== null && paymentDate < exDate) {
    return { reason: 'paid-before-ex-date', detail: `paid on ${paymentDate}, ex on ${exDate}` };
  }
  return null;
}

/**
 * Returns whether the dates are those of a dividend with due bills. A dividend of at least a
 * quarter of the share price goes ex on the first trading day after its payment, and not before its
 * record date.
 */
export function hasDueBills(dates: DividendDates, market: MarketCalendar): boolean {
  const { declarationDate, exDate, recordDate, paymentDate } = dates;
  if (paymentDate === null || paymentDate >= exDate) return false;
  if (recordDate !== null && recordDate > paymentDate) return false;
  if (declarationDate !== null && declarationDate > paymentDate) return false;
  return market.nextTradingDay(paymentDate) === exDate;
}
