import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketOverride } from '../../domain/market/overrides.ts';

/** A row of `market_override`, as far as the calendar needs it. */
export interface OverrideRow {
  market_date: string;
  kind: string;
  open_minute: number | null;
  close_minute: number | null;
  reason: string;
  [column: string]: unknown;
}

/** The table's constraints allow only the three kinds. Any other row means a corrupt store. */
export function parseOverride(row: OverrideRow): MarketOverride {
  const { kind, reason, open_minute: open, close_minute: close } = row;
  const date = row.market_date as LocalDate;
  if (kind === 'closed') return { date, reason, kind };
  if (kind === 'late-open' && open !== null) return { date, reason, kind, open };
  if (kind === 'early-close' && close !== null) return { date, reason, kind, close };
  throw new Error(`market_override holds a row of kind ${kind} for ${date} that cannot be read`);
}
