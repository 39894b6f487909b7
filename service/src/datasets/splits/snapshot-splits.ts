import type { LocalDate } from '../../domain/local-date.ts';
import type { SplitRatio } from '../../domain/share-splits.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';

export interface NightSplit {
  symbol: string;
  date: LocalDate;
  ratio: SplitRatio;
  seenAt: Instant;
}

/**
 * Writes the splits that one list of prices shows on a day, in place of those it showed before.
 * Returns the symbols for which that is news.
 */
export async function writeNightSplits(
  tx: Transaction,
  { provider, feed, list }: { provider: string; feed: string; list: string },
  date: LocalDate,
  splits: readonly NightSplit[],
): Promise<string[]> {
  const rows = splits.map(({ symbol, ratio, seenAt }) => ({ symbol, ...ratio, seenAt }));
  // Removes what the list does not show any more; a few rows, by index share_split_by_date.
  const gone = await tx.query<{ symbol: string }>(
    `delete from share_split s
      where s.date = $4 and s.provider = $1 and s.feed = $2 and s.symbol <> all($5::text[])
        and exists (select 1 from price_bar b where b.symbol = s.symbol and b.date = $4
                       and b.provider = $1 and b.feed = $2 and b.list = $3)
     returning symbol`,
    [provider, feed, list, date, rows.map(({ symbol }) => symbol)],
  );
  if (rows.length === 0) return gone.map(({ symbol }) => symbol);
  // Writes what differs, by the primary key.
  const news = await tx.query<{ symbol: string }>(
    `insert into share_split as s (symbol, date, provider, feed, numerator, denominator, seen_at)
     select x.symbol, $1, $2, $3, x.numerator, x.denominator, to_timestamp(x."seenAt" / 1000.0)
       from jsonb_to_recordset($4::jsonb)
         as x(symbol text, numerator int8, denominator int8, "seenAt" float8)
     on conflict (symbol, date, provider, feed) do update set
       numerator = excluded.numerator, denominator = excluded.denominator,
       seen_at = excluded.seen_at
     where (s.numerator, s.denominator, s.seen_at)
       is distinct from (excluded.numerator, excluded.denominator, excluded.seen_at)
     returning symbol`,
    [date, provider, feed, JSON.stringify(rows)],
  );
  return [...gone, ...news].map(({ symbol }) => symbol);
}
