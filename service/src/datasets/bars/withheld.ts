import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable, Row } from '../../storage/db.ts';

/** Rows of a feed's undated price lists that are not served under the evening of their capture. */
export interface WithheldBars {
  provider: string;
  feed: string;
  /**
   * `stale-night`: the list shows an earlier session. `not-the-close`: it was captured before the
   * session ended. `stale-row`: a single row repeats an earlier session.
   */
  reason: string;
  rows: number;
  /** The part of `rows` that is served under the session it shows. */
  servedRows: number;
  /** Number of lists, one for each market segment and evening. */
  lists: number;
  firstDate: LocalDate;
  lastDate: LocalDate;
}

/** Counts the withheld rows of lists captured since a day, by feed and reason. */
export async function loadWithheldBars(
  db: Queryable,
  since: LocalDate | null = null,
): Promise<WithheldBars[]> {
  // Returns a few rows. Scans one row per list and evening. A list that is served in part counts
  // its stale rows; one that is served under another session counts all of its rows.
  return db.query<WithheldBars & Row>(
    `select provider, feed, reason, sum(rows)::float8 as rows, sum(served)::float8 as "servedRows",
            count(*)::int4 as lists, min(date) as "firstDate", max(date) as "lastDate"
       from (select provider, feed, date, coalesce(held, 'stale-row') as reason,
                    case when held is null then stale_count else row_count end as rows,
                    case when held is not null and served_date is not null
                         then row_count - stale_count else 0 end as served
               from price_night
              where (held is not null or stale_count > 0)
                and ($1::date is null or date >= $1)) w
      where rows > 0
      group by provider, feed, reason
      order by provider, feed, reason`,
    [since],
  );
}

const REASONS: Readonly<Record<string, string>> = {
  'stale-night': 'lists that show an earlier session',
  'not-the-close': 'lists captured before the close',
  'stale-row': 'rows that repeat an earlier session',
};

/** Describes withheld rows in one line, such as for a report in a terminal. */
export function describeWithheld(bars: WithheldBars): string {
  const { provider, feed, reason, rows, servedRows, firstDate, lastDate } = bars;
  const days = firstDate === lastDate ? firstDate : `${firstDate} to ${lastDate}`;
  const served =
    servedRows > 0 ? `; ${servedRows.toLocaleString('en-US')} served under that session` : '';
  const what = `${REASONS[reason] ?? reason} (${reason})`;
  return `${rows.toLocaleString('en-US')} × ${provider} ${feed}, ${days}: ${what}${served}`;
}
