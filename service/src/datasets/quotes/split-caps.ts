import type { LocalDate } from '../../domain/local-date.ts';
import type { Transaction } from '../../storage/db.ts';
import { lateFeedOf } from '../bars/snapshot.ts';

/** Share counts that differ by at most this fraction are considered equal. */
const SAME_SHARES = 0.05;
const DAYS = 15;

/**
 * Deletes market caps in a snapshot of a session soon after a split if they combine the new price
 * with the old number of shares, which is the case if the list still shows as many shares as before
 * the split. The pre-split value becomes current again. Returns the symbols whose quotes changed.
 */
export async function deletePreSplitCaps(
  tx: Transaction,
  { provider, feed, list }: { provider: string; feed: string; list: string },
  { date, contentDate }: { date: LocalDate; contentDate: LocalDate },
): Promise<string[]> {
  // Updates at most a few rows. Uses index share_split_by_date for the splits in two weeks, and the
  // primary keys of their bars and quotes.
  const changed = await tx.query<{ symbol: string }>(
    `with wrong as (
       select n.symbol, n.observed_at, n.market_cap, e.market_cap as cap_before,
              e.observed_at as seen_before
         from share_split s
         join price_bar n on n.symbol = s.symbol and n.date = $4
                         and n.provider = s.provider and n.feed = s.feed
         join lateral (select e.* from price_bar e
                        where e.symbol = s.symbol and e.date < s.date
                          and e.date >= s.date - ${DAYS}
                          and e.provider = s.provider and e.feed in (s.feed, $6)
                          and e.market_cap is not null and e.held is null
                        order by e.date desc limit 1) e on true
        where s.provider = $1 and s.feed = $2 and s.date <= $5 and s.date > $5::date - ${DAYS}
          and n.list = $3 and n.market_cap is not null
          and abs(n.market_cap * e.close - e.market_cap * n.close)
              <= ${SAME_SHARES} * e.market_cap * n.close
     )
     update quote q set market_cap = w.cap_before, market_cap_seen_at = w.seen_before
       from wrong w
      where q.symbol = w.symbol and q.market_cap_seen_at = w.observed_at
        and q.market_cap = w.market_cap
     returning q.symbol`,
    [provider, feed, list, date, contentDate, lateFeedOf(feed)],
  );
  return changed.map(({ symbol }) => symbol);
}
