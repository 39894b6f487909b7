import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketOverride } from '../../domain/market/overrides.ts';

/** The columns of `market_override` that the calendar needs. */
export interface OverrideRow {
  market_date: string;
  kind: string;
  open_minute: number | null;
  close_minute: number | null;
  reason: string;
  [column: string]: unknown;
}

/**
 * Parses a row. The table's constraints allow only the three kinds, so any other row means a
 * corrupt store.
 */
export function parseOverride(row: OverrideRow): MarketOverride {
  const { kind, reason, open_minute: open, close_minute: close } = row;
  const date = row.market_date as LocalDate;
  if (kind === 'closed') return { date, reason, kind };
  if (kind === 'late-open' && open !== null) return { date, reason, kind, open };
  if (kind === 'early-close' && close !== null) return { date, reason, kind, close };
  throw new Error(`market_override holds a row of kind ${kind} for ${date} that cannot be read`);
}
