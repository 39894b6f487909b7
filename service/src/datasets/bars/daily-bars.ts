import type { AdjustedBar, DailyBar, PriceSplit } from '../../domain/daily-bar.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { loadSplits } from '../splits/store.ts';
import { type BasedBar, toCommonBasis } from './common-basis.ts';
import { type BarSpan, barsUnderSymbols, bestBars } from './load.ts';

/** A bar with its source, on both share bases. */
export interface SourcedBar {
  /** In shares of the requested basis. */
  adjusted: AdjustedBar;
  /** In shares of its own day. */
  asTraded: DailyBar;
  /** Splits after its day, up to the requested basis. */
  splits: readonly PriceSplit[];
  provider: string;
  feed: string;
  seenAt: Instant;
  /** The archived response from which it was read. */
  responseId: number;
}

type StoredBar = BasedBar & Pick<SourcedBar, 'provider' | 'feed' | 'seenAt' | 'responseId'>;

/**
 * Loads the bars of a security, oldest first, without those of the given sources. A bar without a
 * positive close is omitted.
 */
export async function loadDailyBars(
  db: Queryable,
  securityId: string,
  { from, to, basis }: BarSpan,
  withoutSources: readonly string[],
): Promise<SourcedBar[]> {
  // Returns one row per day.
  const stored = await db.query<StoredBar & Row>(
    `select date, basis_date as "basisDate", open::text as open, high::text as high,
            low::text as low, close::text as close, volume, provider, feed,
            observed_at as "seenAt", answer_id as "responseId"
       from (${bestBars('b.provider <> all($4::text[])')}) best`,
    [[securityId], from, to, [...withoutSources]],
  );
  const splits = (await loadSplits(db, [securityId])).get(securityId) ?? [];
  const byDate = new Map(stored.map((bar) => [bar.date, bar]));
  return toCommonBasis(stored, splits, basis).flatMap((adjusted) => {
    const { date } = adjusted;
    const bar = byDate.get(date);
    const [asTraded] = bar === undefined ? [] : toCommonBasis([bar], splits, date);
    if (bar === undefined || asTraded === undefined) return [];
    const { provider, feed, seenAt, responseId } = bar;
    const passed = splits.filter((split) => split.date > date && split.date <= basis);
    return [{ adjusted, asTraded, splits: passed, provider, feed, seenAt, responseId }];
  });
}

/** Returns whether the security has bars between two days. */
export async function hasDailyBars(
  db: Queryable,
  securityId: string,
  { from, to }: { from: LocalDate; to: LocalDate },
  withoutSources: readonly string[],
): Promise<boolean> {
  // Returns at most one row. Reads one bar per symbol.
  const shown = barsUnderSymbols('b.close > 0 and b.provider <> all($4::text[])', '1');
  const rows = await db.query(
    `select from ${shown} where n.security_id = any($1::text[]) limit 1`,
    [[securityId], from, to, [...withoutSources]],
  );
  return rows.length > 0;
}
