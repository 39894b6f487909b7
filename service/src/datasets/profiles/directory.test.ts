import { afterAll, beforeAll, expect, test } from 'vitest';
import { securityOf, SEEN_AT, storeRows } from '../../../test/support/stored-earnings.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import type { Db, Queryable } from '../../storage/db.ts';
import { writeChanges } from '../changes/store.ts';
import { recordRows } from '../source-records/record-rows.ts';
import { loadDirectory } from './directory.ts';
import { dataset } from './index.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const CIK = '0000000007';
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await storeRows(db, { securities: [securityOf('MERD', { cik: CIK }), securityOf('LONE')] });
  await loadDirectory(db, NOW);
});
afterAll(() => db.close());

test('shows a former name of a filer whose profile stays the same', async () => {
  const profile = { companyName: 'Meridian Glass Inc.' };
  await merge(`CIK${CIK}`, { ...profile, formerNames: [] }, SEEN_AT);
  expect(await entryOf('MERD')).toMatchObject({ formerNames: [] });
  const formerNames = [{ name: 'Ridgeway Glass', until: null }];
  const stale = await merge(`CIK${CIK}`, { ...profile, formerNames }, SEEN_AT + 1);
  expect(await entryOf('MERD')).toMatchObject({ formerNames: ['Ridgeway Glass'] });
  expect(stale).toEqual(new Set(['names-and-kinds', 'profile:MERD']));
});

test('shows a filer number that only the profile has', async () => {
  await merge('LONE', { cik: '0000000009' }, SEEN_AT + 2);
  expect(await entryOf('LONE')).toMatchObject({ cik: '0000000009' });
  await merge('LONE', { cik: '0000000008' }, SEEN_AT + 3);
  expect(await entryOf('LONE')).toMatchObject({ cik: '0000000008' });
});

test('reads the securities from memory for every request, each of which has its own view of the store', async () => {
  const statements: string[] = [];
  const view = (): Queryable => ({
    store: db,
    query: (text, params) => (statements.push(text), db.query(text, params)),
  });
  const entries = await loadDirectory(view(), NOW);
  expect(await loadDirectory(view(), NOW)).toBe(entries);
  expect(entries).toHaveLength(2);
  expect(statements).toEqual([]);
});

async function entryOf(symbol: string) {
  const entries = await loadDirectory(db, NOW);
  return entries.find(({ entry }) => entry.symbol === symbol)?.entry;
}

/** Merges one row of the SEC as ingestion would, and returns the stale topics. */
function merge(entityKey: string, fields: object, at: number) {
  const source = { provider: 'sec', feed: 'submissions', naturalKey: 'profile' };
  const row = { dataset: 'profiles', entityKey, ...source, fields };
  const listing = { affectedKeys: [], removedIds: [] };
  return db.transaction(async (tx) => {
    const rows = await recordRows(tx, [row], at, 1);
    const input = { rows, listing, missing: new Map(), market: marketCalendar() };
    const { changes, topics } = await dataset.merge({ tx, now: at }, input);
    await writeChanges(tx, changes, topics, at);
    return topics;
  });
}
