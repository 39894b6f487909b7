import { lateFeedOf } from './snapshot.ts';

/**
 * Feeds in order of preference: the operator's files, then sources with complete dated bars, and
 * finally undated lists, which only have a close and a volume. Feeds not listed here rank with the
 * dated sources. Within a rank, the newest observation wins.
 */
const LAST: readonly string[] = ['nasdaq/screener', lateFeedOf('nasdaq/screener')];
const FIRST: readonly string[] = ['files/bars'];

/**
 * Returns an SQL `order by` expression that ranks the bars of `alias`, most preferred first. Two
 * feeds never rank equally on the same day.
 */
export function byPrecedence(alias: string): string {
  const feed = `${alias}.provider || '/' || ${alias}.feed`;
  return `case when ${feed} = any(array[${quoted(FIRST)}]) then 0
               when ${feed} = any(array[${quoted(LAST)}]) then 2 else 1 end,
          ${alias}.observed_at desc, ${feed}`;
}

function quoted(feeds: readonly string[]): string {
  return feeds.map((feed) => `'${feed}'`).join(', ');
}
