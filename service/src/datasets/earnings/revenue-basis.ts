import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  subtractDecimals,
} from '../../domain/decimal.ts';
import type { SourcedValue } from './row.ts';

/** Two figures for one quarter that differ by more than this fraction use different definitions. */
const SAME_BASIS_SHARE_MAX = '0.03';

/**
 * Chooses the revenue to show next to the consensus. A calendar has it on the report date; the
 * filing follows. If both agree within 3 %, the calendar's value is kept. Otherwise one of them
 * uses a different definition (before or after payments to partners, or a bank's gross or net
 * interest), and only the value closer to the consensus can be compared with it. Without a
 * consensus the filing wins. An operator's file always wins.
 */
export function resolveRevenue(
  calendar: SourcedValue<Decimal> | null,
  filed: SourcedValue<Decimal> | null,
  consensus: Decimal | null,
): SourcedValue<Decimal> | null {
  if (calendar === null || filed === null) return calendar ?? filed;
  if (calendar.source.provider === 'files' || isSameRevenue(calendar.value, filed.value))
    return calendar;
  if (consensus === null) return filed;
  const isCalendarCloser =
    compareDecimals(distance(calendar.value, consensus), distance(filed.value, consensus)) < 0;
  return isCalendarCloser ? calendar : filed;
}

/** Returns whether a revenue agrees with the filed one, so that both use the same definition. */
export function isSameRevenue(value: Decimal, filed: Decimal): boolean {
  const limit = multiplyDecimals(absoluteDecimal(filed), SAME_BASIS_SHARE_MAX);
  return compareDecimals(distance(value, filed), limit) <= 0;
}

function distance(a: Decimal, b: Decimal): Decimal {
  return absoluteDecimal(subtractDecimals(a, b));
}
