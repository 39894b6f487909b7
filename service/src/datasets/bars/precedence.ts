/**
 * Order of preference: the operator's files, sources with complete dated bars, and last undated
 * lists, which only have a close and a volume. Other feeds rank with the dated ones. Within a rank
 * the newest observation wins.
 */
const LAST: readonly string[] = ['nasdaq/screener'];
const FIRST: readonly string[] = ['files/bars'];

/**
 * SQL for `order by` that ranks the bars of `alias`, preferred ones first. A total order over the
 * feeds of a day.
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
