import type { PriceSplit } from '../../domain/daily-bar.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { currentSplits, type DatedSplit } from './current-splits.ts';
import type { SplitObservation } from './observation.ts';

export interface SourcedSplit extends SplitObservation {
  provider: string;
  feed: string;
  seenAt: Instant;
}

/** Saves the dated splits of these symbols. Returns the symbols with changes. */
export async function replaceSplits(
  tx: Transaction,
  symbols: readonly string[],
  splits: readonly SourcedSplit[],
): Promise<string[]> {
  // Inserts or updates the splits that differ. Feeds with dated splits never withdraw a split.
  const changed = await tx.query<{ symbol: string }>(
    `insert into share_split as s (symbol, date, provider, feed, numerator, denominator, seen_at)
     select x.symbol, x.date, x.provider, x.feed, x.numerator, x.denominator,
            to_timestamp(x."seenAt" / 1000.0)
       from jsonb_to_recordset($1::jsonb)
         as x(symbol text, date date, provider text, feed text, numerator int8, denominator int8,
              "seenAt" float8)
      where x.symbol = any($2::text[])
     on conflict (symbol, date, provider, feed) do update set
       numerator = excluded.numerator, denominator = excluded.denominator,
       seen_at = excluded.seen_at
     where (s.numerator, s.denominator, s.seen_at)
       is distinct from (excluded.numerator, excluded.denominator, excluded.seen_at)
     returning symbol`,
    [JSON.stringify(splits), symbols],
  );
  return changed.map(({ symbol }) => symbol);
}

/** Loads current splits by security, oldest first. Securities without splits are absent. */
export async function loadSplits(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Map<string, PriceSplit[]>> {
  const sourced = await loadSourcedSplits(db, securityIds);
  return new Map(
    [...sourced].map(([id, splits]) => [
      id,
      splits.map(({ date, numerator, denominator }) => ({
        date,
        ratio: { numerator, denominator },
      })),
    ]),
  );
}

/** Like `loadSplits`, but includes the source of each split. */
export async function loadSourcedSplits(
  db: Queryable,
  securityIds: readonly string[],
): Promise<Map<string, DatedSplit[]>> {
  if (securityIds.length === 0) return new Map();
  // Returns one row per split and source. Uses index security_symbol_security and the primary key.
  const rows = await db.query<DatedSplit & { securityId: string } & Row>(
    `select n.security_id as "securityId", s.date, s.provider, s.feed, s.numerator,
            s.denominator, s.seen_at as "seenAt"
       from security_symbol n
       join share_split s on s.symbol = n.symbol
                         and (n.valid_from is null or s.date >= n.valid_from)
                         and (n.valid_to is null or s.date <= n.valid_to)
      where n.security_id = any($1::text[])
      order by s.date, s.provider, s.feed`,
    [securityIds],
  );
  const bySecurity = Map.groupBy(rows, ({ securityId }) => securityId);
  return new Map([...bySecurity].map(([id, splits]) => [id, currentSplits(splits)]));
}

/**
 * Returns the securities with a split between two days, excluding the first and including the last.
 */
export async function securitiesThatSplit(
  db: Queryable,
  after: LocalDate,
  upTo: LocalDate,
): Promise<string[]> {
  // Returns one row per security. Uses index share_split_by_date and the primary key of
  // security_symbol.
  const rows = await db.query<{ id: string }>(
    `select distinct n.security_id as id
       from share_split s join security_symbol n on n.symbol = s.symbol
      where s.date > $1 and s.date <= $2`,
    [after, upTo],
  );
  return rows.map(({ id }) => id);
}
