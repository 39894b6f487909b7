import type { PriceSplit } from '../../domain/daily-bar.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { fractionOf, multiplyFractions, roundFraction } from '../../domain/fraction.ts';
import type { LocalDate } from '../../domain/local-date.ts';

const PLACES = 6;

/**
 * An amount per share in the shares of `today`: divided by the splits after the ex-date up to then,
 * up to 6 decimals; as it is when there were none. A split on the ex-date itself is counted in
 * already: holders are paid for the shares of that morning.
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
      multiplyFractions(value, { over: BigInt(denominator), under: BigInt(numerator) }),
    fractionOf(amount),
  );
  return roundFraction(adjusted, PLACES);
}
