import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { localDate } from '../../domain/local-date.ts';
import type { Db } from '../../storage/db.ts';
import { type IncomingQuote, loadQuotes, missingFromLists, recordQuotes } from './store.ts';

const DAY = localDate('2026-02-10');
const DAY_MS = 86_400_000;

onEachEngine((db) => {
  test('keeps the newest known quote regardless of arrival order', async () => {
    expect(await say(db(), 20, { price: '11', marketCap: '1100' })).toEqual(['NRTH']);
    expect(await say(db(), 10, { price: '10', marketCap: '1000' })).toEqual([]);
    expect(await quote(db())).toEqual({
      price: '11',
      priceDate: DAY,
      marketCap: '1100',
      marketCapSeenAt: 20,
    });
  });

  test('tracks the age of the price and of the market cap separately', async () => {
    await say(db(), 10, { price: '10', marketCap: '1000' });
    expect(await say(db(), 20, { marketCap: '1200' })).toEqual(['NRTH']);
    expect(await say(db(), 15, { price: '10.5', marketCap: '1150' })).toEqual(['NRTH']);
    expect(await quote(db())).toMatchObject({ price: '10.5', marketCap: '1200' });
  });

  test('never replaces a known price or market cap with an unknown one', async () => {
    await say(db(), 10, { price: '10', marketCap: null });
    expect(await say(db(), 20, { price: null, marketCap: null })).toEqual([]);
    await say(db(), 30, { price: null, marketCap: '1' });
    expect(await quote(db())).toEqual({
      price: '10',
      priceDate: '2026-02-10',
      marketCap: '1',
      marketCapSeenAt: 30,
    });
  });

  test('keeps the greater of two prices with the same observation time, regardless of arrival order', async () => {
    await say(db(), 10, { price: '9.99' });
    expect(await say(db(), 10, { price: '10' })).toEqual(['NRTH']);
    expect(await say(db(), 10, { price: '9.99' })).toEqual([]);
    expect(await quote(db())).toMatchObject({ price: '10' });
  });

  test('reports no change for a repeated quote', async () => {
    await say(db(), 10, { price: '10' });
    expect(await say(db(), 10, { price: '10' })).toEqual([]);
  });

  test('ignores a price without a date, and keeps its market cap', async () => {
    await say(db(), 10, { price: '10' });
    await say(db(), 20, { price: '12', priceDate: null });
    expect(await say(db(), 30, { price: '13', priceDate: null })).toEqual([]);
    expect(await say(db(), 40, { price: '14', priceDate: null, marketCap: '5' })).toEqual(['NRTH']);
    expect(await quote(db())).toMatchObject({ price: '10', priceDate: DAY, marketCap: '5' });
  });

  test('reports a symbol that has been missing from price lists for over ten days, but not one without a quote', async () => {
    await say(db(), DAY_MS, { marketCap: '5' });
    await say(db(), 11 * DAY_MS, { symbol: 'BLUE', marketCap: '5' });
    expect(await isMissingFromLists(db(), 'NRTH')).toBe(false);
    await say(db(), 11 * DAY_MS + 1, { symbol: 'BLUE', marketCap: '5' });
    expect(await isMissingFromLists(db(), 'NRTH')).toBe(true);
    expect(await isMissingFromLists(db(), 'NONE')).toBe(false);
  });

  test('returns no quotes if no symbols are given', async () => {
    expect(await loadQuotes(db(), [])).toEqual(new Map());
    expect(await loadQuotes(db(), ['NRTH'])).toEqual(new Map());
  });
});

function say(db: Db, at: number, record: Partial<IncomingQuote>): Promise<string[]> {
  return db.transaction((tx) =>
    recordQuotes(tx, [{ symbol: 'NRTH', priceDate: DAY, ...record }], at),
  );
}

async function quote(db: Db) {
  return (await loadQuotes(db, ['NRTH'])).get('NRTH');
}

async function isMissingFromLists(db: Db, symbol: string): Promise<boolean> {
  const [row] = await db.query(`select ${missingFromLists('$1')} as is_missing`, [symbol]);
  return row?.['is_missing'] === true;
}
