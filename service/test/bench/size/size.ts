import { localDate, type LocalDate } from '../../../src/domain/local-date.ts';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';

/** Size of the made-up market. Environment variables can reduce it. */
export const SYMBOLS = fromEnv('BENCH_SYMBOLS', 10_000);
export const YEARS = fromEnv('BENCH_YEARS', 5);
/** Number of symbols that the embedded engine ingests. */
export const EMBEDDED_SYMBOLS = fromEnv('BENCH_EMBEDDED_SYMBOLS', Math.ceil(SYMBOLS / 10));

/** Current time in the benches, which is a Friday evening. */
export const NOW = Date.parse('2026-11-20T23:30:00Z');
const TODAY = localDate('2026-11-20');

export const market = marketCalendar();

/** Returns the trading days in the years that the benches cover, oldest first. */
export function sessions(): LocalDate[] {
  return market.tradingDays(localDate(`${2026 - YEARS}-11-21`), TODAY);
}

function fromEnv(name: string, usual: number): number {
  const value = Number(process.env[name] ?? usual);
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`${name} must be a positive integer`);
  return value;
}
