import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { barOf, market, ingestFileBars } from '../../../test/support/stored-bars.ts';
import { securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { localDate } from '../../domain/local-date.ts';
import type { Db } from '../../storage/db.ts';
import { loadBars } from '../bars/load.ts';
import { type FiledSplit, recordFiledSplits } from './filed-splits.ts';

const SECURITY = securityOf('ABCD');
const DAYS = market.tradingDays(localDate('2026-05-01'), localDate('2026-06-30'));
const SPLIT_DAY = localDate('2026-06-10');

const SPLIT: FiledSplit = {
  securityId: SECURITY.id,
  after: localDate('2026-05-08'),
  date: localDate('2026-06-25'),
  ratio: {
    numerator: 25,
    denominator: 1,
  },
  provider: 'sec',
  feed: 'companyfacts',
  seenAt: Date.parse('2026-06-26T12:00:00Z'),
};

onEachEngine((db) => {
  test('takes the date of a filed split from bars, whether the split or the bars arrive first', async () => {
    for (const order of [
      [fileSplit, takeBars],
      [takeBars, fileSplit],
    ]) {
      await db().query('truncate price_bar, share_split, filed_split');
      await storeRows(db(), { securities: [SECURITY] });
      for (const step of order) await step(db());
      expect(await daysOfSplits(db())).toEqual([SPLIT_DAY]);
      const closes = await closesOf(db());
      expect(closes.get('2026-06-09')).toBe('40');
      expect(closes.get('2026-06-10')).toBe('41');
    }
  });

  test('does not apply a filed split without bars that reveal its date', async () => {
    await storeRows(db(), { securities: [SECURITY] });
    await fileSplit(db());
    const ratios = barsOf().filter(({ date }) => date !== '2026-06-09');
    await ingestFileBars(db(), ratios);
    expect(await daysOfSplits(db())).toEqual([]);
    expect((await closesOf(db())).get('2026-06-08')).toBe('1000');
    await ingestFileBars(db(), barsOf());
    expect(await daysOfSplits(db())).toEqual([SPLIT_DAY]);
  });

  test('removes a split that filings no longer reveal', async () => {
    await storeRows(db(), { securities: [SECURITY] });
    await fileSplit(db());
    await takeBars(db());
    const changed = await db().transaction((tx) =>
      recordFiledSplits(tx, [SECURITY.id], [], market),
    );
    expect(changed).toEqual(['ABCD']);
    expect(await daysOfSplits(db())).toEqual([]);
    expect(await db().query('select 1 from filed_split')).toEqual([]);
  });

  test('reports no changes when the same filed splits are recorded again', async () => {
    await storeRows(db(), { securities: [SECURITY] });
    await takeBars(db());
    expect(await fileSplit(db())).toEqual(['ABCD']);
    expect(await fileSplit(db())).toEqual([]);
  });
});

function fileSplit(db: Db): Promise<string[]> {
  return db.transaction((tx) => recordFiledSplits(tx, [SECURITY.id], [SPLIT], market));
}

function takeBars(db: Db): Promise<unknown> {
  return ingestFileBars(db, barsOf());
}

function barsOf() {
  return DAYS.map((date) => barOf('ABCD', date, date < SPLIT_DAY ? '1000' : '41'));
}

async function daysOfSplits(db: Db): Promise<unknown[]> {
  const rows = await db.query<{ date: string }>('select date from share_split order by date');
  return rows.map(({ date }) => date);
}

async function closesOf(db: Db): Promise<Map<string, string>> {
  const [from, to] = [localDate('2026-05-01'), localDate('2026-06-30')];
  const bars = await loadBars(db, [SECURITY.id], { from, to, basis: to });
  return new Map((bars.get(SECURITY.id)?.bars ?? []).map(({ date, close }) => [date, close]));
}
