import type { LocalDate } from '../../domain/local-date.ts';
import type { SplitRatio } from '../../domain/share-splits.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { lateFeedOf } from '../bars/snapshot.ts';

/** A split revealed by two consecutive end-of-day snapshots of a price list. */
export interface SnapshotSplit {
  symbol: string;
  ratio: SplitRatio;
  seenAt: Instant;
}

/** A session of a price list. */
interface ListedSession {
  provider: string;
  feed: string;
  list: string;
  date: LocalDate;
  /** Symbols that were served for the session until now. */
  unserved: readonly string[];
}

/** Replaces the splits that one price list reveals on a day. Returns the symbols with changes. */
export async function writeSnapshotSplits(
  tx: Transaction,
  { provider, feed, list, date, unserved }: ListedSession,
  splits: readonly SnapshotSplit[],
): Promise<string[]> {
  const rows = splits.map(({ symbol, ratio, seenAt }) => ({ symbol, ...ratio, seenAt }));
  const symbols = rows.map(({ symbol }) => symbol);
  // Deletes a few splits that the list no longer reveals. Uses index share_split_by_date.
  const removed = await tx.query<{ symbol: string }>(
    ...statement(sql`
      delete from share_split s
       where s.date = ${date} and s.provider = ${provider} and s.feed = ${feed}
         and s.symbol <> all(${symbols}::text[])
         and (s.symbol = any(${unserved}::text[])
              or exists (select 1 from price_bar b where b.symbol = s.symbol and b.date = ${date}
                          and b.provider = ${provider} and b.list = ${list}
                          and b.feed = any(${[feed, lateFeedOf(feed)]}::text[])))
      returning symbol`),
  );
  if (rows.length === 0) return removed.map(({ symbol }) => symbol);
  // Inserts or updates the splits that differ.
  const written = await tx.query<{ symbol: string }>(
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
  return [...removed, ...written].map(({ symbol }) => symbol);
}
