import type { BarObservation, BarObservations } from '../../src/datasets/bars/observation.ts';
import { localDate } from '../../src/domain/local-date.ts';
import { marketCalendar } from '../../src/domain/market/calendar.ts';
import { newYorkInstant } from '../../src/domain/new-york.ts';
import { ingestBars } from '../../src/ingest/ingest-bars.ts';
import { type DatasetReport, emptyReport } from '../../src/ingest/report.ts';
import { fakeClock } from './fake-clock.ts';
import type { Instant } from '../../src/platform/instant.ts';
import type { Db } from '../../src/storage/db.ts';

export const market = marketCalendar();

/** Returns a bar from a file source. `over` replaces fields. */
export function barOf(
  symbol: string,
  date: string | null,
  close: string,
  over: Partial<BarObservation> = {},
): BarObservation {
  return {
    symbol,
    date: date === null ? null : localDate(date),
    open: null,
    high: null,
    low: null,
    close,
    previousClose: null,
    volume: 1e6,
    basisDate: null,
    ...over,
  };
}

/** Returns 20:30 on that New York day. */
export function eveningOf(date: string): Instant {
  return newYorkInstant(localDate(date), 20 * 60 + 30);
}

/** Ingests bars as a response from the feed, observed at that instant. */
export async function ingestListedBars(
  db: Db,
  bars: BarObservations,
  source: { feed: string; at: Instant },
): Promise<{ report: DatasetReport; topics: string[] }> {
  const report = emptyReport('bars', 'ingested');
  const topics: string[] = [];
  const [provider = '', feed = ''] = source.feed.split('/');
  await ingestBars(
    {
      db,
      market,
      clock: fakeClock(source.at),
      onCommit: (stale) => topics.push(...stale),
    },
    bars,
    { provider, feed, observedAt: source.at, responseId: 1 },
    report,
  );
  return { report, topics };
}

/** Ingests dated bars from the operator's files. */
export function ingestFileBars(
  db: Db,
  rows: BarObservation[],
): ReturnType<typeof ingestListedBars> {
  const bars = { list: null, isAdjusted: false, rows };
  return ingestListedBars(db, bars, { feed: 'files/bars', at: Date.parse('2026-11-25T12:00:00Z') });
}
