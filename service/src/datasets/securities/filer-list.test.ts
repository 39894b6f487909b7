import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import { archiveResponse, compressBody } from '../responses/store.ts';
import { recordRows } from '../source-records/record-rows.ts';
import { isMissingFromFilerList } from './filer-list.ts';

const DAY_MS = 86_400_000;
const GONE = { symbol: 'MERD', cik: '0009990001' };

onEachEngine((db) => {
  test('a company that two lists of filers in a row left out is dropped, one does not tell', async () => {
    await list(db(), 1, ['MERD', 'HARB']);
    await list(db(), 13, ['HARB']);
    expect(await isMissingFromFilerList(db(), GONE)).toBe(false);
    await list(db(), 20, ['HARB']);
    expect(await isMissingFromFilerList(db(), GONE)).toBe(true);
    expect(await isMissingFromFilerList(db(), { ...GONE, symbol: 'HARB' })).toBe(false);
  });

  test('one that another such list still names is not, nor one that none ever named', async () => {
    await list(db(), 1, ['MERD'], 'company-tickers-exchange');
    for (const day of [1, 13, 20]) await list(db(), day, day === 1 ? ['MERD'] : ['HARB']);
    expect(await isMissingFromFilerList(db(), GONE)).toBe(false);
    expect(await isMissingFromFilerList(db(), { ...GONE, symbol: 'QUAY' })).toBe(false);
  });

  test('lists that follow each other within days do not tell, nor do refused ones', async () => {
    await list(db(), 1, ['MERD']);
    for (const day of [2, 3]) await list(db(), day, ['HARB']);
    for (const day of [13, 20]) await list(db(), day, [], 'company-tickers', 'rejected');
    expect(await isMissingFromFilerList(db(), GONE)).toBe(false);
  });
});

/** A list of filers captured on that day of November 2026. */
async function list(
  db: Db,
  day: number,
  symbols: readonly string[],
  feed = 'company-tickers',
  outcome: 'ingested' | 'rejected' = 'ingested',
): Promise<void> {
  const observedAt = Date.UTC(2026, 10, 1) + day * DAY_MS;
  const url = `https://www.sec.gov/files/${feed}.json`;
  const told = { url, status: 200, contentType: 'application/json', observedAt, text: '{}' };
  const answer = { provider: 'sec', feed, ...told, outcome, reason: null };
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
