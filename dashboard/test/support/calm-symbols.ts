import { marketCalendar } from '../../../service/src/domain/market/calendar.ts';
import { systemClock } from '../../../service/src/platform/clock.ts';
import { Market } from '../../../service/src/providers/sandbox/market/market.ts';
import { SANDBOX_DEFAULTS } from '../../../service/src/providers/sandbox/settings.ts';
import { STAGE_COMPANIES } from './stage.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns the symbols that the simulated market won't change during a journey, so that only the
 * journey itself triggers deliveries for them.
 */
export function calmSymbols(symbols: readonly string[]): string[] {
  const now = systemClock().now();
  const market = new Market({
    seed: SANDBOX_DEFAULTS.seed,
    companies: STAGE_COMPANIES,
    isTradingDay: marketCalendar().isTradingDay,
  });
  // Deliveries for recent changes may still be in progress, so the search starts 15 minutes ago.
  const changed = market.changed(now - HOUR_MS / 4, now + HOUR_MS);
  const changing = new Set(changed.map(({ report }) => report.company.symbol));
  return symbols.filter((symbol) => !changing.has(symbol));
}
