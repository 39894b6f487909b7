import { newestCompleteSession } from '../../datasets/bars/load.ts';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../../domain/market/calendar.ts';
import type { Queryable } from '../../storage/db.ts';

/** Data that is required to compute any response with prices. */
export interface PriceContext {
  market: MarketCalendar;
  /** Latest session with bars; null if the store has no bars. */
  session: LocalDate | null;
}

export async function loadPriceContext(db: Queryable): Promise<PriceContext> {
  const { overrides } = await loadMarketOverrides(db);
  return { market: marketCalendar(overrides), session: await newestCompleteSession(db) };
}
