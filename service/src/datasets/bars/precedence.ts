/**
 * Whose word on a session stands, best first: the operator's own files, sources that give the whole
 * bar under its date, and last lists without a date, which give a close and a volume only. Feeds
 * that are not named stand beside the dated ones. Of equals the newest observation stands.
 */
const LAST: readonly string[] = ['nasdaq/screener'];
const FIRST: readonly string[] = ['files/bars'];

/** SQL that ranks the bars of `alias`, best first, for `order by`; total over the feeds of a day. */
export function byPrecedence(alias: string): string {
  const feed = `${alias}.provider || '/' || ${alias}.feed`;
  return `case when ${feed} = any(array[${quoted(FIRST)}]) then 0
               when ${feed} = any(array[${quoted(LAST)}]) then 2 else 1 end,
          ${alias}.observed_at desc, ${feed}`;
}

function quoted(feeds: readonly string[]): string {
  return feeds.map((feed) => `'${feed}'`).join(', ');
}
