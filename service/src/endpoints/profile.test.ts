import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMarketOverride } from '../datasets/market-overrides/store.ts';
import { mergeProfiles } from '../datasets/profiles/merge.ts';
import { recordQuotes } from '../datasets/quotes/store.ts';
import { recordRows } from '../datasets/source-records/record-rows.ts';
import {
  eventOf,
  securityOf,
  SEEN_AT,
  storeRows,
  valuesOf,
} from '../../test/support/stored-earnings.ts';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { barOf, market, ingestFileBars } from '../../test/support/stored-bars.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { archiveResponse, compressBody } from '../datasets/responses/store.ts';
import { localDate } from '../domain/local-date.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './profile.ts';
import { tables } from './tables/registry.gen.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T15:00:00Z');
const DAY_MS = 86_400_000;
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  const renamed = securityOf('NEWN', {
    cik: '0009990001',
    exchange: 'NYSE',
    symbols: [
      { symbol: 'OLDN', from: null, to: localDate('2025-05-31') },
      { symbol: 'NEWN', from: localDate('2025-06-01'), to: null },
    ],
  });
  await storeRows(db, {
    securities: [renamed, securityOf('LONE', { name: null }), securityOf('GONE')],
    events: [
      eventOf('NEWN', { date: localDate('2026-11-24'), dateStatus: 'confirmed' }),
      eventOf('NEWN', { date: localDate('2027-02-24') }),
      eventOf('NEWN', { date: localDate('2026-08-24'), dateStatus: 'reported', eps: '1' }),
    ],
    marketCaps: { NEWN: '18000000000' },
  });
  await db.transaction(async (tx) => {
    await mergeProfiles({ tx, now: SEEN_AT }, [renamed], []);
    await recordQuotes(tx, [{ symbol: 'GONE', marketCap: '7' }], SEEN_AT - 11 * DAY_MS);
  });
});

afterAll(() => db.close());

test('returns the company profile, including its former symbol and its next report', async () => {
  const body = await bodyOf('NEWN');
  expect(check.Check(body)).toBe(true);
  expect(body).toMatchObject({
    symbol: 'NEWN',
    companyName: 'NEWN Inc.',
    cik: '0009990001',
    exchange: 'NYSE',
    mic: 'XNYS',
    type: 'equity',
    marketCap: 18_000_000_000,
    active: true,
    formerSymbols: [{ symbol: 'OLDN', until: '2025-05-31' }],
    nextEarnings: { date: '2026-11-24', time: 'time-pre-market', dateStatus: 'confirmed' },
  });
});

test('uses the symbol as the name and null for the other fields of a company about which nothing else is known', async () => {
  const body = await bodyOf('LONE');
  expect(check.Check(body)).toBe(true);
  expect(body).toMatchObject({
    companyName: 'LONE',
    cik: null,
    sector: null,
    country: null,
    price: null,
    marketCap: null,
    outstandingShares: null,
    nextEarnings: null,
    formerSymbols: [],
  });
});

test('marks a symbol as inactive if price lists dropped it more than ten days ago', async () => {
  expect(await bodyOf('GONE')).toMatchObject({ active: false });
});

test('marks a company as inactive if the list of filers dropped it', async () => {
  const cik = '0009990002';
  await storeRows(db, { securities: [securityOf('BGHT', { cik })], events: [] });
  const weeks: (readonly string[])[] = [['BGHT'], [], []];
  for (const [week, symbols] of weeks.entries()) {
    const observedAt = SEEN_AT + week * 7 * DAY_MS;
    const url = 'https://www.sec.gov/files/company_tickers.json';
    const reply = { url, status: 200, contentType: 'application/json', observedAt, text: '{}' };
    const source = { provider: 'sec', feed: 'company-tickers' };
    const archived = { ...source, ...reply, outcome: 'ingested' as const, reason: null };
    const body = await compressBody(String(week));
    await db.transaction(async (tx) => {
      const answerId = await archiveResponse(tx, archived, body, observedAt);
      const rows = symbols.map((symbol) => ({
        ...source,
        dataset: 'securities',
        entityKey: symbol,
        naturalKey: cik,
        fields: {
          symbol,
          cik,
          name: null,
          exchange: null,
        },
      }));
      await recordRows(tx, rows, observedAt, answerId);
    });
  }
  expect(await bodyOf('BGHT')).toMatchObject({ cik, active: false });
});

test('exports the active state that the profile shows', async () => {
  const shown: Record<string, unknown> = {};
  for (const symbol of ['BGHT', 'GONE', 'LONE', 'NEWN']) {
    shown[symbol] = (await bodyOf(symbol))['active'];
  }
  expect(shown).toEqual({ BGHT: false, GONE: false, LONE: true, NEWN: true });
  expect(await exportedActive('securities')).toEqual(shown);
  expect(await exportedActive('profiles')).toEqual({ NEWN: true });
});

test('returns the successor if the profile for a former symbol is requested', async () => {
  const response = await endpoint.handle(valuesOf({ symbol: 'OLDN' }), { db, now: NOW });
  expect(response).toMatchObject({ kind: 'unknown-symbol', successorSymbol: 'NEWN' });
});

test('for a past instant, returns null for prices and for facts from price lists', async () => {
  const asOf = SEEN_AT;
  const response = await endpoint.handle(parameterValues({ symbol: 'NEWN', asOf }), {
    db,
    now: NOW,
  });
  if (response.kind !== 'body') throw new Error('no body');
  expect(check.Check(response.body)).toBe(true);
  expect(response.body).toMatchObject({
    companyName: 'NEWN Inc.',
    active: true,
    marketCap: null,
    price: null,
    nextEarnings: { date: '2026-11-24' },
  });
  const gone = await endpoint.handle(parameterValues({ symbol: 'GONE', asOf }), { db, now: NOW });
  expect(gone).toMatchObject({ body: { active: null, marketCap: null } });
});

test("updates a profile's updatedAt when a report is released, even if the next report was already known", async () => {
  const securities = [securityOf('SOLD')];
  await storeRows(db, {
    securities,
    events: [
      eventOf('SOLD', { dateStatus: 'reported', eps: '1', updatedAt: SEEN_AT + 2 }),
      eventOf('SOLD', { date: localDate('2027-02-24'), updatedAt: SEEN_AT + 1 }),
    ],
  });
  await db.transaction((tx) => mergeProfiles({ tx, now: SEEN_AT }, securities, []));
  const response = await endpoint.handle(valuesOf({ symbol: 'SOLD' }), { db, now: NOW });
  expect(response).toMatchObject({
    asOf: SEEN_AT + 2,
    body: { nextEarnings: { date: '2027-02-24' }, updatedAt: formatInstant(SEEN_AT + 2) },
  });
});

test("uses an unlisted company's reports for updatedAt, or its first observation if it has none", async () => {
  const unlisted = ['PAST', 'MUTE'].map((symbol) => securityOf(symbol, { listedAt: null }));
  await storeRows(db, {
    securities: unlisted,
    events: [eventOf('PAST', { dateStatus: 'reported', eps: '1', updatedAt: SEEN_AT + 1 })],
  });
  await db.transaction((tx) => mergeProfiles({ tx, now: SEEN_AT + 3 }, unlisted, []));
  await see('MUTE', SEEN_AT + 2);
  expect(await bodyOf('PAST')).toMatchObject({ updatedAt: formatInstant(SEEN_AT + 1) });
  expect(await bodyOf('MUTE')).toMatchObject({ updatedAt: formatInstant(SEEN_AT + 2) });
});

test('excludes a session from the average volume if an operator closed the market on that day', async () => {
  const days = market.tradingDays(localDate('2026-10-01'), localDate('2026-11-19'));
  const openDays = days.filter((date) => date !== '2026-11-12');
  const bars = openDays.map((date) =>
    barOf('LONE', date, '10', { volume: date <= '2026-10-22' ? 2_000 : 1_000 }),
  );
  await ingestFileBars(db, bars);
  expect(await bodyOf('LONE')).toMatchObject({ averageVolume: 1_000 });
  const closed = { date: localDate('2026-11-12'), kind: 'closed', reason: 'Blizzard' } as const;
  const entry = { override: closed, note: null, operator: 'test' };
  await db.transaction((tx) => addMarketOverride(tx, entry, SEEN_AT));
  // The last 20 open sessions now begin one day earlier.
  expect(await bodyOf('LONE')).toMatchObject({ averageVolume: 1_050 });
  expect(endpoint.topics(valuesOf({ symbol: 'LONE' }), NOW)).toContain('market-overrides');
});

test('has a profile example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

/** Returns `active` by symbol as an export of current rows writes it. */
async function exportedActive(name: string): Promise<Record<string, unknown>> {
  const table = tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  const rows = await db.query(
    `select ${table.stored.select} from ${String(table.stored.current)} v order by v.symbol`,
  );
  const rendered = rows.map((row) => table.render(row) as { symbol: string; active: unknown });
  return Object.fromEntries(rendered.map(({ symbol, active }) => [symbol, active]));
}

async function bodyOf(symbol: string): Promise<Record<string, unknown>> {
  const response = await endpoint.handle(valuesOf({ symbol }), { db, now: NOW });
  if (response.kind !== 'body') throw new Error('no body');
  return response.body as Record<string, unknown>;
}

/** Records an observation of a symbol that contributes no data to a profile. */
async function see(symbol: string, at: number): Promise<void> {
  const archived = {
    provider: 'p',
    feed: 'f',
    url: 'https://quay.example/',
    status: 200,
    contentType: '',
    observedAt: at,
    text: '',
    outcome: 'ingested' as const,
    reason: null,
  };
  const row = { dataset: 'earnings', entityKey: symbol, provider: 'p', feed: 'f', naturalKey: 'k' };
  const body = await compressBody('');
  await db.transaction(async (tx) => {
    const answerId = await archiveResponse(tx, archived, body, at);
    await recordRows(tx, [{ ...row, fields: {} }], at, answerId);
  });
}
