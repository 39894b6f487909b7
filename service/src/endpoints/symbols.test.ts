import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { SEEN_AT, securityOf, storeRows } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { writeChanges } from '../datasets/changes/store.ts';
import { type Topic, topics } from '../datasets/topics.gen.ts';
import { profileVersions } from '../datasets/profiles/store.ts';
import type { Profile, ProfileFields } from '../datasets/profiles/row.ts';
import type { Security } from '../datasets/securities/row.ts';
import { localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './symbols.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-21T15:00:00Z');
const DAY_MS = 86_400_000;
const until = localDate('2026-11-11');
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await store([
    securityOf('MERD', {
      name: 'Meridian Glass Inc. - Common Stock',
      symbols: [
        { symbol: 'OLDM', from: null, to: until, names: ['Ridgeway Glass'] },
        { symbol: 'MERD', from: localDate('2026-11-12'), to: null, names: ['Meridian Glass Inc.'] },
      ],
    }),
    securityOf('MERF', { name: 'Merfield Fund', exchange: 'NYSE MKT' }),
    securityOf('GONE', { name: 'Meridian Gone', active: false }),
  ]);
  await storeProfile('MERD', {
    companyName: 'Meridian Glass Inc.',
    exchange: 'NYSE',
    mic: 'XNYS',
    formerSymbols: [{ symbol: 'OLDM', until }],
  });
});
afterAll(() => db.close());

test('returns what a search box shows, for a symbol, a name, a former symbol and a former name', async () => {
  for (const [search, field, text] of [
    ['merd', 'symbol', 'MERD'],
    ['meridian gl', 'name', 'Meridian Glass Inc.'],
    ['oldm', 'former-symbol', 'OLDM'],
    ['ridge', 'former-name', 'Ridgeway Glass'],
  ] as const) {
    expect(await rowsFor({ search })).toEqual([
      {
        symbol: 'MERD',
        name: 'Meridian Glass Inc.',
        exchange: 'NYSE',
        mic: 'XNYS',
        type: 'equity',
        tags: [],
        active: true,
        cik: null,
        formerSymbols: [{ symbol: 'OLDM', until }],
        match: { field, text },
      },
    ]);
  }
});

test('filters by exchange, kind and listing, and lists all securities without a search', async () => {
  const symbolsFor = async (parameters: Parameters<typeof rowsFor>[0]) =>
    (await rowsFor(parameters)).map(({ symbol }) => symbol);
  expect(await symbolsFor({})).toEqual(['GONE', 'MERD', 'MERF']);
  expect(await symbolsFor({ search: 'mer' })).toEqual(['MERD', 'MERF', 'GONE']);
  expect(await symbolsFor({ search: 'mer', active: true })).toEqual(['MERD', 'MERF']);
  expect(await symbolsFor({ active: false })).toEqual(['GONE']);
  expect(await symbolsFor({ exchange: 'NYSE American' })).toEqual(['MERF']);
  expect(await symbolsFor({ search: 'mer', type: 'fund' })).toEqual([]);
});

test('paginates by security', async () => {
  const first = await respond({ search: 'mer', limit: 2 });
  expect([first.body.length, first.part?.rows.length]).toEqual([2, 3]);
  const last = first.part?.rows[1]?.id;
  const findStart = (rows: readonly { id: string }[]) =>
    rows.findIndex(({ id }) => id === last) + 1;
  const second = await respond({ search: 'mer', limit: 2 }, NOW, findStart);
  expect(second.body.map(({ symbol }) => symbol)).toEqual(['GONE']);
});

test('shows changes of a commit at once, also of a security that was removed', async () => {
  expect(await rowsFor({ search: 'new' })).toEqual([]);
  const added = securityOf('ADDD', { name: 'New Company' });
  await store([added]);
  expect(await rowsFor({ search: 'new' })).toMatchObject([{ symbol: 'ADDD', exchange: null }]);
  await storeProfile('ADDD', { companyName: 'New Company', exchange: 'NASDAQ' });
  expect(await rowsFor({ search: 'new' })).toMatchObject([{ exchange: 'NASDAQ', mic: 'XNAS' }]);
  await store([securityOf('RENA', { id: added.id, name: 'Late Company' })], ['ADDD']);
  expect(await rowsFor({ search: 'new' })).toMatchObject([{ symbol: 'RENA' }]);
  await store([], ['RENA']);
  expect(await rowsFor({ search: 'new' })).toEqual([]);
});

test('shows a listing that ended without a commit from the next day on', async () => {
  await db.query(`insert into quote (symbol, market_cap, market_cap_seen_at)
                  values ('MERF', 1, '2026-11-01T00:00:00Z'), ('MERD', 1, '2026-11-20T00:00:00Z')`);
  expect(await rowsFor({ search: 'merf' }, NOW + DAY_MS)).toMatchObject([{ active: false }]);
});

test('expires within minutes, and makes all searches stale when a security or its name changes', () => {
  expect(endpoint.validUntil?.(parameterValues({}), NOW)).toBe(NOW + 300_000);
  expect(endpoint.topics(parameterValues({}), NOW)).toEqual(['symbols', 'names-and-kinds']);
});

test('has an example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

interface FoundRow {
  symbol: string;
}

/** Stores securities as a merge would, which replaces those that had the symbols. */
async function store(securities: readonly Security[], symbols: readonly string[] = []) {
  await storeRows(db, { securities, removedSymbols: symbols });
  const own = securities.flatMap((security) => security.symbols.map(({ symbol }) => symbol));
  await commit(['symbols', ...[...own, ...symbols].map(topics.securities.symbol)]);
}

async function storeProfile(symbol: string, fields: Partial<ProfileFields>): Promise<void> {
  const base = { type: 'equity', tags: [], formerSymbols: [] };
  const profile = { securityId: `sec_${symbol}`, symbol, provenance: {}, updatedAt: SEEN_AT };
  await db.transaction((tx) =>
    profileVersions.insert(
      tx,
      [{ ...profile, fields: { ...base, ...fields } } as Profile],
      SEEN_AT,
    ),
  );
  await commit(['names-and-kinds', topics.profiles.symbol(symbol)]);
}

async function commit(stale: readonly Topic[]): Promise<void> {
  await db.transaction((tx) => writeChanges(tx, [], new Set(stale), SEEN_AT));
}

async function respond(
  parameters: Parameters<typeof parameterValues>[0],
  now = NOW,
  findStart: (rows: readonly { id: string }[]) => number = () => 0,
) {
  const response = await endpoint.handle(parameterValues(parameters), { db, now, findStart });
  if (response.kind !== 'body') throw new Error(response.kind);
  expect(check.Check(response.body)).toBe(true);
  return { ...response, body: response.body as FoundRow[] };
}

async function rowsFor(parameters: Parameters<typeof parameterValues>[0], now = NOW) {
  return (await respond(parameters, now)).body;
}
