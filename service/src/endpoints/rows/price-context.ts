import { newestCompleteSession } from '../../datasets/bars/load.ts';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../../domain/market/calendar.ts';
import type { Queryable } from '../../storage/db.ts';

/** Facts that every response with prices needs. */
export interface PriceContext {
  market: MarketCalendar;
  /** Latest session with bars; null in a store without bars. */
  session: LocalDate | null;
}

export async function loadPriceContext(db: Queryable): Promise<PriceContext> {
  const { overrides } = await loadMarketOverrides(db);
  return { market: marketCalendar(overrides), session: await newestCompleteSession(db) };
}
