import type { BarObservation } from '../../../src/datasets/bars/observation.ts';
import { ingestBars } from '../../../src/ingest/ingest-bars.ts';
import { emptyReport } from '../../../src/ingest/report.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { namingOf } from '../../../src/providers/sandbox/market/names.ts';
import type { LocalDate } from '../../../src/domain/local-date.ts';
import type { Db } from '../../../src/storage/db.ts';
import { market, NOW, sessions } from './size.ts';

/** Symbols per response, as in a price history file. */
export const SYMBOLS_PER_RESPONSE = 20;

/**
 * Returns every session for one made-up symbol. Every fiftieth symbol has four times its usual
 * volume on the last day.
 */
export function historyOf(index: number, days: readonly LocalDate[]): BarObservation[] {
  const { symbol } = namingOf(index);
  const usual = 150_000 + ((index * 7_919) % 997) * 5_000;
  return days.map((date, at) => {
    const cents = 2_000 + ((index * 31) % 9_000) + ((at * 37 + index * 13) % 211);
    const isBurst = at === days.length - 1 && index % 50 === 7;
    return {
      symbol,
      date,
      basisDate: null,
      previousClose: null,
      open: dollars(cents - 12),
      high: dollars(cents + 45),
      low: dollars(cents - 38),
      close: dollars(cents),
      volume: Math.round(usual * (0.7 + ((at * 53 + index) % 61) / 100) * (isBurst ? 4 : 1)),
    };
  });
}

/**
 * Ingests symbols in the same way as files from operators. Returns the seconds it took, excluding
 * the generation of the rows.
 */
export async function ingestHistory(db: Db, from: number, to: number): Promise<number> {
  const clock = systemClock();
  const days = sessions();
  const report = emptyReport('bars', 'ingested');
  let seconds = 0;
  for (let first = from; first < to; first += SYMBOLS_PER_RESPONSE) {
    const rows = symbolsOf(first, to).flatMap((index) => historyOf(index, days));
    const beganMs = clock.monotonicMs();
    await ingestBars(
      { db, clock, market, onCommit: () => undefined },
      { list: null, isAdjusted: false, rows },
      { provider: 'files', feed: 'bars', observedAt: NOW, responseId: 1 + first },
      report,
    );
    seconds += (clock.monotonicMs() - beganMs) / 1000;
  }
  if (report.rowsNew + report.rowsSame !== (to - from) * days.length) {
    throw new Error('the response has no bars');
  }
  return seconds;
}

/** Returns the symbols in the response that begins at `first`. */
export function symbolsOf(first: number, to: number): number[] {
  const count = Math.min(SYMBOLS_PER_RESPONSE, to - first);
  return Array.from({ length: count }, (_, at) => first + at);
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
