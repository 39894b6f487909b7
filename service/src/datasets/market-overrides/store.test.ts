import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { localDate } from '../../domain/local-date.ts';
import type { MarketOverride } from '../../domain/market/overrides.ts';
import type { Db } from '../../storage/db.ts';
import { addMarketOverride, loadMarketOverrides, revokeMarketOverride } from './store.ts';

const NOON = Date.parse('2026-11-20T17:00:00Z');
const LATER = NOON + 60_000;
const BY = 'operator@example.com';
const FRIDAY = localDate('2026-11-20');

let db: Db;

beforeAll(async () => {
  db = await memoryStore();
});

beforeEach(() => db.execute('truncate market_override; truncate commit_log'));

afterAll(() => db.close());

test.each<MarketOverride>([
  { date: FRIDAY, kind: 'closed', reason: 'Blizzard' },
  { date: FRIDAY, kind: 'early-close', close: 840, reason: 'Power failure' },
  { date: FRIDAY, kind: 'late-open', open: 690, reason: 'Snow' },
])('loads an override of each kind as entered: $kind', async (override) => {
  await add(override);
  expect(await loadMarketOverrides(db)).toEqual({ overrides: [override], changedAt: NOON });
});

test('returns no overrides and no change date for an empty table', async () => {
  expect(await loadMarketOverrides(db)).toEqual({ overrides: [], changedAt: null });
});

test('does not load a revoked override, but keeps it with the operator and time of the revocation', async () => {
  const id = await add({ date: FRIDAY, kind: 'closed', reason: 'Blizzard' });
  expect(await revoke(id)).toBe(true);
  expect(await loadMarketOverrides(db)).toEqual({ overrides: [], changedAt: LATER });
  const rows = await db.query(
    'select created_at, created_by, note, revoked_at, revoked_by from market_override',
  );
  expect(rows).toEqual([
    {
      created_at: NOON,
      created_by: BY,
      note: 'seen on the wire',
      revoked_at: LATER,
      revoked_by: BY,
    },
  ]);
});

test('returns false and changes nothing for a second revocation or an unknown id', async () => {
  const id = await add({ date: FRIDAY, kind: 'closed', reason: 'Blizzard' });
  await revoke(id);
  expect(await revoke(id)).toBe(false);
  expect(await revoke(id + 1)).toBe(false);
  expect(await staleTopics()).toHaveLength(2);
});

test('marks responses that depend on the calendar as stale in the commit that changes an override', async () => {
  const id = await add({ date: FRIDAY, kind: 'closed', reason: 'Blizzard' });
  await revoke(id);
  expect(await staleTopics()).toEqual([['market-overrides'], ['market-overrides']]);
});

test('rejects an override without the time that its kind requires, or with an empty reason', async () => {
  const insert = (values: string) =>
    db.execute(
      `insert into market_override (market_date, kind, open_minute, close_minute, reason,
         created_at, created_by) values ('2026-11-20', ${values}, now(), 'x')`,
    );
  await expect(insert(`'early-close', null, null, 'r'`)).rejects.toThrow('violates check');
  await expect(insert(`'closed', 600, null, 'r'`)).rejects.toThrow('violates check');
  await expect(insert(`'late-open', 1440, null, 'r'`)).rejects.toThrow('violates check');
  await expect(insert(`'closed', null, null, ''`)).rejects.toThrow('violates check');
});

function add(override: MarketOverride): Promise<number> {
  return db.transaction((tx) =>
    addMarketOverride(tx, { override, note: 'seen on the wire', operator: BY }, NOON),
  );
}

function revoke(id: number): Promise<boolean> {
  return db.transaction((tx) => revokeMarketOverride(tx, { id, operator: BY }, LATER));
}

async function staleTopics(): Promise<unknown[]> {
  const rows = await db.query('select topics from commit_log order by id');
  return rows.map((row) => row['topics']);
}
