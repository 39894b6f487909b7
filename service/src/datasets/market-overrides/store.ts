import type { MarketOverride } from '../../domain/market/overrides.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { writeChanges } from '../changes/store.ts';
import { parseOverride } from './row.ts';
import type { OverrideRow } from './row.ts';

/** The topic of every answer that depends on the market calendar's overrides. */
export const MARKET_OVERRIDES_TOPIC = 'market-overrides';

export interface StandingOverrides {
  overrides: MarketOverride[];
  /** When an override was last entered or revoked; null when none ever was. */
  changedAt: Instant | null;
}

/** Everything that stands now. There are a handful in a year, so all are loaded at once. */
export async function loadMarketOverrides(db: Queryable): Promise<StandingOverrides> {
  // The standing overrides by date, by index market_override_standing.
  const rows = await db.query<OverrideRow>(
    `select market_date, kind, open_minute, close_minute, reason
       from market_override
      where revoked_at is null
      order by market_date, id`,
  );
  // The newest change of the table: a scan of its few rows.
  const [newest] = await db.query<{ changed_at: Instant | null }>(
    `select max(greatest(created_at, revoked_at)) as changed_at from market_override`,
  );
  return { overrides: rows.map(parseOverride), changedAt: newest?.changed_at ?? null };
}

export interface OverrideEntry {
  override: MarketOverride;
  /** For operators only. */
  note: string | null;
  by: string;
}

/** Enters an override and returns its id. Answers that depend on it go stale with the commit. */
export async function addMarketOverride(
  tx: Transaction,
  { override, note, by }: OverrideEntry,
  now: Instant,
): Promise<number> {
  // Adds one row and returns its id.
  const [row] = await tx.query<{ id: number }>(
    `insert into market_override
       (market_date, kind, open_minute, close_minute, reason, note, created_at, created_by)
     values ($1::date, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0), $8)
     returning id`,
    [
      override.date,
      override.kind,
      override.kind === 'late-open' ? override.open : null,
      override.kind === 'early-close' ? override.close : null,
      override.reason,
      note,
      now,
      by,
    ],
  );
  if (row === undefined) throw new Error('insert into market_override returned no id');
  await writeChanges(tx, [], new Set([MARKET_OVERRIDES_TOPIC]), now);
  return row.id;
}

/** Takes an override back; false when there is none of that id that still stands. */
export async function revokeMarketOverride(
  tx: Transaction,
  { id, by }: { id: number; by: string },
  now: Instant,
): Promise<boolean> {
  // Marks one standing row and returns its id, by the primary key.
  const rows = await tx.query(
    `update market_override
        set revoked_at = to_timestamp($2 / 1000.0), revoked_by = $3
      where id = $1 and revoked_at is null
     returning id`,
    [id, now, by],
  );
  if (rows.length === 0) return false;
  await writeChanges(tx, [], new Set([MARKET_OVERRIDES_TOPIC]), now);
  return true;
}
