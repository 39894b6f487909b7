import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BarObservation } from '../src/datasets/bars/observation.ts';
import { loadWithheldBars } from '../src/datasets/bars/withheld.ts';
import { parseInstant } from '../src/platform/instant.ts';
import { seededRandom } from '../src/platform/random.ts';
import type { Db } from '../src/storage/db.ts';
import { runSeed } from './support/run-size.ts';
import { barOf, ingestListedBars } from './support/stored-bars.ts';
import { emptyStore, memoryStore } from './support/stores.ts';

/** Folder with responses recorded from real sources. */
const ROOT = process.env['AFTERBELL_RECORDINGS'];
const SEED = runSeed();
/** Companies with a row in every recorded list; the first have daily bars of another source. */
const CHECKED = ['AAPL', 'MSFT', 'NVDA', 'GOOGL'];
const SYMBOLS = [...CHECKED, 'COST', 'JPM', 'KO', 'WMT'];
/** Starts after the last split of these companies. */
const [FIRST, LAST] =
  process.env['AFTERBELL_RECORDINGS_ALL'] === 'true'
    ? ['2024-07-01', '2026-05-27']
    : ['2025-09-29', '2025-11-14'];

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());

test.skipIf(ROOT === undefined)(
  `serves only closes that an independent source confirms, whatever the order of the lists (seed ${SEED})`,
  { timeout: 300_000 },
  async () => {
    const evenings = recordedEvenings();
    await ingestAll(evenings);
    const served = await servedCloses();
    const results = CHECKED.flatMap((symbol) => {
      const closes = dailyCloses(symbol);
      return served
        .filter((bar) => bar.symbol === symbol && closes.has(bar.date))
        .map(({ date, close }) => ({
          symbol,
          date,
          isRight: Math.abs(Number(close) - (closes.get(date) ?? 0)) < 0.006,
        }));
    });
    const wrong = results.filter(({ isRight }) => !isRight);
    const withheld = await loadWithheldBars(db);
    console.log(
      `${evenings.length} evenings, ${served.length} bars served, ${results.length} checked, ` +
        `${wrong.length} wrong; withheld: ${JSON.stringify(withheld)}`,
    );
    expect(wrong).toEqual([]);
    expect(results.length).toBeGreaterThan(CHECKED.length * 30);
    const random = seededRandom(SEED);
    const shuffled = evenings
      .map((evening) => ({ evening, sortKey: random.float() }))
      .toSorted((a, b) => a.sortKey - b.sortKey)
      .map(({ evening }) => evening);
    await emptyStore(db);
    await ingestAll(shuffled);
    expect(await servedCloses()).toEqual(served);
  },
);

interface Evening {
  at: string;
  rows: BarObservation[];
}

/** Returns the rows of each recorded list, for the companies whose rows were recorded. */
function recordedEvenings(): Evening[] {
  const lines = SYMBOLS.flatMap((symbol) => {
    const path = join(ROOT ?? '', `nasdaq/screener-series-${symbol.toLowerCase()}/body`);
    const [, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
    return rows.map((line) => ({ symbol, cells: line.split(',') }));
  });
  const byTime = Map.groupBy(lines, ({ cells }) => (cells[0] ?? '').slice(0, 13));
  return [...byTime.values()].flatMap((rows): Evening[] => {
    const at = rows[0]?.cells[0] ?? '';
    if (at < FIRST || at > `${LAST}T23`) return [];
    return [{ at, rows: rows.map(({ symbol, cells }) => barFrom(symbol, cells)) }];
  });
}

function barFrom(symbol: string, cells: readonly string[]): BarObservation {
  const [, , lastSale = '', change = '', , volume = ''] = cells;
  const close = lastSale.replace('$', '');
  const previousClose = (Number(close) - Number(change)).toFixed(4);
  return barOf(symbol, null, close, { previousClose, volume: Number(volume) });
}

async function ingestAll(evenings: readonly Evening[]): Promise<void> {
  for (const { at, rows } of evenings) {
    const bars = { list: 'recorded', isAdjusted: false, rows };
    await ingestListedBars(db, bars, { feed: 'nasdaq/screener', at: parseInstant(at) ?? 0 });
  }
}

function servedCloses(): Promise<{ symbol: string; date: string; close: string }[]> {
  return db.query(
    `select symbol, date, close::text from price_bar where held is null order by symbol, date`,
  );
}

/** Returns the closes by day from a table with columns Date, Open, High, Low, Close. */
function dailyCloses(symbol: string): Map<string, number> {
  const path = join(ROOT ?? '', `datasets/ohlcv-${symbol.toLowerCase()}-2019-2026/body`);
  const [, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
  return new Map(
    rows.map((line) => {
      const [date = '', , , , close = ''] = line.split(',');
      return [date, Number(close)];
    }),
  );
}
