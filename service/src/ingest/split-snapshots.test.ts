import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { barOf, eveningOf, ingestListedBars } from '../../test/support/stored-bars.ts';
import { loadQuotes, recordQuotes } from '../datasets/quotes/store.ts';
import type { Db } from '../storage/db.ts';

const LIST = { feed: 'nasdaq/screener' };

/**
 * Expensive shares that split 25 for 1 between Thursday and Monday. The first list after the split
 * still uses the old share count.
 */
const SNAPSHOTS = [
  { day: '2026-04-01', close: '4400', before: '4380', cap: '142824000000' },
  { day: '2026-04-02', close: '4320', before: '4400', cap: '140227200000' },
  { day: '2026-04-06', close: '172.80', before: '172.8', cap: '5609088000' },
  { day: '2026-04-07', close: '174', before: '172.80', cap: '141202500000' },
];

onEachEngine((db) => {
  test('drops a market capitalization computed from the price after a split and the share count before it', async () => {
    for (const snapshot of SNAPSHOTS.slice(0, 2)) await ingestSnapshot(db(), snapshot);
    const [, , split, next] = SNAPSHOTS;
    const topics = await ingestSnapshot(db(), split);
    expect(await marketCapOf(db())).toBe('140227200000');
    expect(topics).toEqual(expect.arrayContaining(['quotes', 'profile:DEAR', 'bars:symbol:DEAR']));
    await ingestSnapshot(db(), split);
    expect(await marketCapOf(db())).toBe('140227200000');
    await ingestSnapshot(db(), next);
    expect(await marketCapOf(db())).toBe('141202500000');
  });

  test('ends with the same market capitalization regardless of the order of the lists', async () => {
    for (const order of [
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      await db().query('truncate price_bar, price_night, share_split, quote');
      for (const at of order) await ingestSnapshot(db(), SNAPSHOTS[at]);
      expect(await marketCapOf(db()), order.join()).toBe('140227200000');
    }
  });

  test('drops the market capitalization for as long as the list uses the old share count', async () => {
    for (const snapshot of SNAPSHOTS.slice(0, 3)) await ingestSnapshot(db(), snapshot);
    await ingestSnapshot(db(), { ...late, cap: '5648040000' });
    expect(await marketCapOf(db())).toBe('140227200000');
  });

  test('keeps a market capitalization that matches the new share count, or that changes without a split', async () => {
    for (const snapshot of SNAPSHOTS.slice(0, 2)) await ingestSnapshot(db(), snapshot);
    await ingestSnapshot(db(), {
      day: '2026-04-06',
      close: '172.80',
      before: '172.8',
      cap: '140000000000',
    });
    expect(await marketCapOf(db())).toBe('140000000000');
    await ingestSnapshot(db(), { ...late, close: '90', before: '172.80', cap: '72900000000' });
    expect(await marketCapOf(db())).toBe('72900000000');
  });
});

const late = { day: '2026-04-07', close: '174', before: '172.80' };

interface Snapshot {
  day: string;
  close: string;
  before: string;
  cap: string;
}

/** Ingests one evening's list in the same order as a response: quotes first, then bars. */
async function ingestSnapshot(db: Db, snapshot: Snapshot | undefined): Promise<string[]> {
  if (snapshot === undefined) throw new Error('no such night');
  const { day, close, before, cap } = snapshot;
  const at = eveningOf(day);
  const quotes = [{ symbol: 'DEAR', price: close, marketCap: cap }];
  await db.transaction((tx) => recordQuotes(tx, quotes, at));
  const row = barOf('DEAR', null, close, {
    previousClose: before,
    marketCap: cap,
    volume: 3e5 + Number(day.slice(-1)) * 1e3,
  });
  const bars = { list: 'nasdaq', isAdjusted: false, rows: [row] };
  return (await ingestListedBars(db, bars, { ...LIST, at })).topics;
}

async function marketCapOf(db: Db): Promise<string | null | undefined> {
  return (await loadQuotes(db, ['DEAR'])).get('DEAR')?.marketCap;
}
