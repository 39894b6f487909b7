import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  subtractDecimals,
} from '../../domain/decimal.ts';
import type { SourcedValue } from './sourced.ts';

/** Two figures of one quarter further apart than this count different things as revenue. */
const SAME_BASIS_SHARE_MAX = '0.03';

/**
 * The revenue to show beside the consensus. A calendar has it on the day, the filing follows; where
 * they agree within 3 % the first word stays. Where they do not, one of them counts something else
 * (before or after what partners are paid, a bank's interest gross or net), and only the one nearer
 * to the consensus can be set against it: without a consensus the filing is believed. An operator's
 * own file is never doubted.
 */
export function resolveRevenue(
  said: SourcedValue<Decimal> | null,
  filed: SourcedValue<Decimal> | null,
  consensus: Decimal | null,
): SourcedValue<Decimal> | null {
  if (said === null || filed === null) return said ?? filed;
  if (said.source.provider === 'files' || isNear(said.value, filed.value)) return said;
  if (consensus === null) return filed;
  const isSaidNearer =
    compareDecimals(distance(said.value, consensus), distance(filed.value, consensus)) < 0;
  return isSaidNearer ? said : filed;
}

function isNear(said: Decimal, filed: Decimal): boolean {
  const limit = multiplyDecimals(absoluteDecimal(filed), SAME_BASIS_SHARE_MAX);
  return compareDecimals(distance(said, filed), limit) <= 0;
}

function distance(a: Decimal, b: Decimal): Decimal {
  return absoluteDecimal(subtractDecimals(a, b));
}
