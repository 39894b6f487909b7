import { precedence } from '../precedence.gen.ts';
import { lateFeedOf } from './snapshot.ts';

/**
 * Returns an SQL `order by` expression that ranks the bars of `alias`, most preferred first: the
 * operator's files, then sources with complete dated bars, and finally undated lists, which only
 * have a close and a volume. Within a rank, the newest observation wins. Two feeds never rank equally
 * on the same day.
 */
export function byPrecedence(alias: string): string {
  const { first, last } = precedence.bars;
  const feed = `${alias}.provider || '/' || ${alias}.feed`;
  const condition = (name: string): string =>
    name.includes('/')
      ? `${feed} in ('${name}', '${lateFeedOf(name)}')`
      : `${alias}.provider = '${name}'`;
  const ranks = [
    ...first.map((name, index) => `when ${condition(name)} then ${index}`),
    ...last.map((name, index) => `when ${condition(name)} then ${first.length + 1 + index}`),
  ];
  return `case ${ranks.join(' ')} else ${first.length} end, ${alias}.observed_at desc, ${feed}`;
}
