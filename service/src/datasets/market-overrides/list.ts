import type { MarketOverride } from '../../domain/market/overrides.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { type OverrideRow, parseOverride } from './row.ts';

/** An override with the operators who entered and revoked it. */
export interface OverrideEvent {
  id: number;
  override: MarketOverride;
  note: string | null;
  createdAt: Instant;
  createdBy: string;
  /** Null for a current override. */
  revokedAt: Instant | null;
  revokedBy: string | null;
}

interface EventRow extends OverrideRow {
  id: number;
  note: string | null;
  created_at: Instant;
  created_by: string;
  revoked_at: Instant | null;
  revoked_by: string | null;
}

/** Lists current and revoked overrides, latest days first, at most `limit`. */
export async function listMarketOverrides(
  db: Queryable,
  { limit }: { limit: number },
): Promise<OverrideEvent[]> {
  // Returns one row per override. Scans and sorts a few rows.
  const rows = await db.query<EventRow>(
    `select id, market_date, kind, open_minute, close_minute, reason, note,
            created_at, created_by, revoked_at, revoked_by
       from market_override
      order by market_date desc, id desc limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    id: row.id,
    override: parseOverride(row),
    note: row.note,
    createdAt: row.created_at,
    createdBy: row.created_by,
    revokedAt: row.revoked_at,
    revokedBy: row.revoked_by,
  }));
}
