import { precedence } from './precedence.gen.ts';
import type { RankedValue } from './rank.ts';

const RANKS: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  Object.entries(precedence).map(([value, { first, last }]) => [
    value,
    new Map([
      ...first.map((name, index) => [name, index] as const),
      ...last.map((name, index) => [name, first.length + 1 + index] as const),
    ]),
  ]),
);

/** Returns a source's rank for a value, the best being 0. Sources without a rank are equal. */
export function rankOf(value: RankedValue, source: { provider: string; feed: string }): number {
  const ranks = RANKS.get(value);
  const { provider, feed } = source;
  return (
    ranks?.get(`${provider}/${feed}`) ?? ranks?.get(provider) ?? precedence[value].first.length
  );
}
