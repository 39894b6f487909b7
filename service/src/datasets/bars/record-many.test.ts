import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { emptyStore } from '../../../test/support/stores.ts';
import { addDays, localDate } from '../../domain/local-date.ts';
import type { Db } from '../../storage/db.ts';
import { recordManyBars } from './record-many.ts';
import { type BarCounts, type BarSource, type DatedBar, recordBars } from './record.ts';

const SOURCE: BarSource = {
  provider: 'files',
  feed: 'bars',
  list: null,
  responseId: 1,
  observedAt: Date.parse('2026-11-20T22:00:00.250Z'),
};
const FIRST = localDate('2024-01-02');

onEachEngine((db) => {
  test('stores the same price history whether bars are bulk-copied or inserted row by row', async () => {
    const bars = [...history('AAAA', 300), ...history('BRK.B', 300), ...history('CC\\T', 20)];
    const rows = await tableAfter(db(), (store) => byRows(store, bars, SOURCE));
    const changed: DatedBar[] = [];
    const counts: BarCounts[] = [];
    const copied = await tableAfter(db(), async (store) => {
      counts.push(await recordManyBars(store, bars, SOURCE, (some) => changed.push(...some)));
    });
    expect(copied).toEqual(rows);
    expect(copied).toHaveLength(620);
    expect(counts).toEqual([{ new: 620, changed: 0, same: 0 }]);
    expect(changed).toEqual(bars);
  });

  test('quarantines the bars of an undated price list until their session is verified, whether or not they are bulk-copied', async () => {
    const bars = Array.from({ length: 250 }, (_, at) => bar(`S${at}`, 0, { volume: at }));
    const source = { ...SOURCE, feed: 'screener', list: 'a list' };
    const rows = await tableAfter(db(), (store) => byRows(store, bars, source));
    const copied = await tableAfter(db(), (store) => recordManyBars(store, bars, source, ignore));
    expect(copied).toEqual(rows);
    expect(copied[0]).toMatchObject({ held: 'unproved', list: 'a list' });
  });

  test('merges a bar that is already stored or occurs twice in a response', async () => {
    const twice = [...history('AAAA', 250), bar('AAAA', 3, { close: '99.5' })];
    const rows = await tableAfter(db(), (store) => byRows(store, twice, SOURCE));
    const copied = await tableAfter(db(), async (store) => {
      const counts = await recordManyBars(store, twice, SOURCE, ignore);
      expect(counts).toEqual({ new: 250, changed: 0, same: 1 });
    });
    expect(copied).toEqual(rows);
    expect(copied[3]).toMatchObject({ close: '99.5' });
    const repeated = await recordManyBars(db(), twice, SOURCE, () => expect.unreachable());
    expect(repeated).toEqual({ new: 0, changed: 0, same: 251 });
  });

  test('produces the same bar table as row-by-row inserts, for any bars in any order', async () => {
    const answer = fc.record({
      symbols: fc.uniqueArray(fc.constantFrom('AAAA', 'BBBB', 'CCCC'), { minLength: 1 }),
      first: fc.integer({ min: 0, max: 300 }),
      days: fc.constantFrom(5, 210, 260),
      seenHours: fc.integer({ min: 0, max: 2 }),
      price: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (answers) => {
        const stored = answers.map(({ symbols, first, days, seenHours, price }) => ({
          bars: symbols.flatMap((symbol) => history(symbol, days, first, String(price))),
          source: { ...SOURCE, observedAt: SOURCE.observedAt + seenHours * 3_600_000 },
        }));
        const rows = await tableAfter(db(), async (store) => {
          for (const { bars, source } of stored) await byRows(store, bars, source);
        });
        const many = await tableAfter(db(), async (store) => {
          for (const { bars, source } of stored) await recordManyBars(store, bars, source, ignore);
        });
        expect(many).toEqual(rows);
      }),
      { numRuns: 8 },
    );
  });
});

function bar(symbol: string, day: number, over: Partial<DatedBar> = {}): DatedBar {
  const date = addDays(FIRST, day);
  const { volume = day % 5 === 0 ? null : 1_000_000 + day, close = `${10 + (day % 7)}.25` } = over;
  return {
    symbol,
    date,
    basisDate: date,
    open: over.open ?? '10.10',
    high: null,
    low: '0.0001',
    close,
    previousClose: day % 2 === 0 ? null : '9.5',
    volume,
    ...(day % 3 === 0 ? { marketCap: '123456789.5' } : {}),
  };
}

function history(symbol: string, days: number, first = 0, open = '1'): DatedBar[] {
  return Array.from({ length: days }, (_, at) => bar(symbol, first + at, { open }));
}

/** Stores the bars row by row, as is done for small responses. */
async function byRows(db: Db, bars: readonly DatedBar[], source: BarSource): Promise<void> {
  for (let from = 0; from < bars.length; from += 100) {
    await db.transaction((tx) => recordBars(tx, bars.slice(from, from + 100), source));
  }
}

async function tableAfter(
  db: Db,
  write: (db: Db) => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  await emptyStore(db);
  await write(db);
  // Returns all bars in a stable order.
  return db.query('select * from price_bar order by symbol, date, provider, feed');
}

function ignore(): void {}
