import type { PriceSplit } from '../../domain/daily-bar.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { fractionOf, multiplyFractions, roundFraction } from '../../domain/fraction.ts';
import type { LocalDate } from '../../domain/local-date.ts';

const PLACES = 6;

/**
 * Converts an amount per share to the shares of `today`: divides it by the splits after the
 * ex-date, to at most 6 decimals; unchanged without splits. A split on the ex-date is already
 * included, because holders are paid for the shares they own that morning.
 */
export function splitAdjusted(
  amount: Decimal,
  exDate: LocalDate,
  splits: readonly PriceSplit[],
  today: LocalDate,
): Decimal {
  const since = splits.filter(({ date }) => date > exDate && date <= today);
  if (since.length === 0) return amount;
  const adjusted = since.reduce(
    (value, { ratio: { numerator, denominator } }) =>
      multiplyFractions(value, { numerator: BigInt(denominator), denominator: BigInt(numerator) }),
    fractionOf(amount),
  );
  return roundFraction(adjusted, PLACES);
}
