import { topics } from '../topics.gen.ts';
import type { MarketOverride } from '../../domain/market/overrides.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { writeChanges } from '../changes/store.ts';
import { takeVersionInstant } from '../versions/version-clock.ts';
import { type OverrideRow, parseOverride } from './row.ts';

export interface CurrentOverrides {
  overrides: MarketOverride[];
  /** Time when an override was last entered or revoked; null if none ever was. */
  changedAt: Instant | null;
}

/** Loads all overrides, either current or as of an instant. There are only a handful a year. */
export async function loadMarketOverrides(
  db: Queryable,
  at: Instant | null = null,
): Promise<CurrentOverrides> {
  if (at !== null) return loadOverridesAt(db, at);
  // Returns current overrides by date. Uses index market_override_standing.
  const rows = await db.query<OverrideRow>(
    `select market_date, kind, open_minute, close_minute, reason
       from market_override
      where revoked_at is null
      order by market_date, id`,
  );
  // Returns the newest change in the table. Scans a few rows.
  const [newest] = await db.query<{ changed_at: Instant | null }>(
    `select max(greatest(created_at, revoked_at)) as changed_at from market_override`,
  );
  return { overrides: rows.map(parseOverride), changedAt: newest?.changed_at ?? null };
}

async function loadOverridesAt(db: Queryable, at: Instant): Promise<CurrentOverrides> {
  // Returns overrides entered by the instant, with their state at that time. Scans a few rows.
  const rows = await db.query<OverrideRow & { isCurrent: boolean; changedAt: Instant }>(
    `select market_date, kind, open_minute, close_minute, reason,
            coalesce(revoked_at > to_timestamp($1 / 1000.0), true) as "isCurrent",
            case when revoked_at <= to_timestamp($1 / 1000.0) then revoked_at
                 else created_at end as "changedAt"
       from market_override
      where created_at <= to_timestamp($1 / 1000.0)
      order by market_date, id`,
    [at],
  );
  return {
    overrides: rows.filter(({ isCurrent }) => isCurrent).map(parseOverride),
    changedAt: rows.length === 0 ? null : Math.max(...rows.map(({ changedAt }) => changedAt)),
  };
}

export interface OverrideEntry {
  override: MarketOverride;
  /** Visible only to operators. */
  note: string | null;
  /** Label of the operator who enters the override. */
  operator: string;
}

/**
 * Enters an override and returns its id. Responses that depend on it become stale with the commit.
 */
export async function addMarketOverride(
  tx: Transaction,
  { override, note, operator }: OverrideEntry,
  now: Instant,
): Promise<number> {
  const enteredAt = await takeVersionInstant(tx, now);
  const { date, kind, reason } = override;
  const open = override.kind === 'late-open' ? override.open : null;
  const close = override.kind === 'early-close' ? override.close : null;
  // Inserts one row.
  const [row] = await tx.query<{ id: number }>(
    ...statement(sql`
      insert into market_override
        (market_date, kind, open_minute, close_minute, reason, note, created_at, created_by)
      values (${date}::date, ${kind}, ${open}, ${close}, ${reason}, ${note},
              to_timestamp(${enteredAt} / 1000.0), ${operator})
      returning id`),
  );
  if (row === undefined) throw new Error('insert into market_override returned no id');
  await writeChanges(tx, [], new Set([topics.marketOverrides.any]), enteredAt);
  return row.id;
}

/** Revokes an override. Returns false if no current override has the id. */
export async function revokeMarketOverride(
  tx: Transaction,
  { id, operator }: { id: number; operator: string },
  now: Instant,
): Promise<boolean> {
  const revokedAt = await takeVersionInstant(tx, now);
  // Updates at most one row.
  const rows = await tx.query(
    `update market_override
        set revoked_at = to_timestamp($2 / 1000.0), revoked_by = $3
      where id = $1 and revoked_at is null
     returning id`,
    [id, revokedAt, operator],
  );
  if (rows.length === 0) return false;
  await writeChanges(tx, [], new Set([topics.marketOverrides.any]), revokedAt);
  return true;
}
