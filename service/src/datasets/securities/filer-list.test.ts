import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import { archiveResponse, compressBody } from '../responses/store.ts';
import { recordRows } from '../source-records/record-rows.ts';
import { missingFromFilerList } from './filer-list.ts';

const DAY_MS = 86_400_000;
const GONE = { symbol: 'MERD', cik: '0009990001' };

onEachEngine((db) => {
  test('reports a company that is missing from two consecutive filer lists, but not one that is missing from a single list', async () => {
    await list(db(), 1, ['MERD', 'HARB']);
    await list(db(), 13, ['HARB']);
    expect(await isMissingFromFilerList(db(), GONE)).toBe(false);
    await list(db(), 20, ['HARB']);
    expect(await isMissingFromFilerList(db(), GONE)).toBe(true);
    expect(await isMissingFromFilerList(db(), { ...GONE, symbol: 'HARB' })).toBe(false);
  });

  test('does not report a company as missing if another list still contains it or no list ever did', async () => {
    await list(db(), 1, ['MERD'], 'company-tickers-exchange');
    for (const day of [1, 13, 20]) await list(db(), day, day === 1 ? ['MERD'] : ['HARB']);
    expect(await isMissingFromFilerList(db(), GONE)).toBe(false);
    expect(await isMissingFromFilerList(db(), { ...GONE, symbol: 'QUAY' })).toBe(false);
  });

  test('ignores filer lists that are only a few days apart, and rejected lists', async () => {
    await list(db(), 1, ['MERD']);
    for (const day of [2, 3]) await list(db(), day, ['HARB']);
    for (const day of [13, 20]) await list(db(), day, [], 'company-tickers', 'rejected');
    expect(await isMissingFromFilerList(db(), GONE)).toBe(false);
  });
});

async function isMissingFromFilerList(
  db: Db,
  { symbol, cik }: { symbol: string; cik: string },
): Promise<boolean> {
  const condition = missingFromFilerList({ symbol: '$1', cik: '$2' });
  const [row] = await db.query(`select ${condition} as is_missing`, [symbol, cik]);
  return row?.['is_missing'] === true;
}

/** Records a list of filers captured on that day in November 2026. */
async function list(
  db: Db,
  day: number,
  symbols: readonly string[],
  feed = 'company-tickers',
  outcome: 'ingested' | 'rejected' = 'ingested',
): Promise<void> {
  const observedAt = Date.UTC(2026, 10, 1) + day * DAY_MS;
  const url = `https://www.sec.gov/files/${feed}.json`;
  const reported = { url, status: 200, contentType: 'application/json', observedAt, text: '{}' };
  const answer = { provider: 'sec', feed, ...reported, outcome, reason: null };
  const body = await compressBody(`${feed} ${day}`);
  await db.transaction(async (tx) => {
    const responseId = await archiveResponse(tx, answer, body, observedAt);
    const rows = symbols.map((symbol) => ({
      dataset: 'securities',
      entityKey: symbol,
      provider: 'sec',
      feed,
      naturalKey: GONE.cik,
      fields: {
        symbol,
        cik: GONE.cik,
        name: null,
        exchange: null,
      },
    }));
    await recordRows(tx, rows, observedAt, responseId);
  });
}
