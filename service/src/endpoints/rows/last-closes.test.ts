import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../../test/support/parameter-values.ts';
import { barOf, market, ingestFileBars } from '../../../test/support/stored-bars.ts';
import { eventOf, securityOf, SEEN_AT, storeRows } from '../../../test/support/stored-earnings.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { dividendVersions } from '../../datasets/dividends/store.ts';
import type { ProfileFields } from '../../datasets/profiles/row.ts';
import { profileVersions } from '../../datasets/profiles/store.ts';
import { recordQuotes } from '../../datasets/quotes/store.ts';
import { localDate } from '../../domain/local-date.ts';
import type { Db, Queryable } from '../../storage/db.ts';
import { endpoint as calendarDividends } from '../calendar-dividends.ts';
import { endpoint as calendarEarnings } from '../calendar-earnings.ts';
import { endpoint as companyEarnings } from '../earnings.ts';
import { endpoint as earningsMovers } from '../earnings-movers.ts';
import type { Endpoint } from '../endpoint.ts';
import { endpoint as profileEndpoint } from '../profile.ts';
import { loadLastCloses } from './last-closes.ts';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const TODAY = localDate('2026-11-21');
const LAST = localDate('2026-11-20');
/** 4 p.m. in New York on the day of the latest bars. */
const CLOSED_AT = Date.parse('2026-11-20T21:00:00Z');
const SYMBOLS = ['MERD', 'EARL', 'LATE', 'SPLT', 'RCPT', 'BARE', 'NONE'];
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  const moved = eventOf('MERD', { date: LAST, dateStatus: 'reported', eps: '1' });
  await storeRows(db, { securities: SYMBOLS.map((symbol) => securityOf(symbol)), events: [moved] });
  const sessions = market.tradingDays(localDate('2026-10-05'), LAST);
  const traded = SYMBOLS.filter((symbol) => symbol !== 'NONE' && symbol !== 'BARE');
  await ingestFileBars(
    db,
    traded.flatMap((symbol) =>
      sessions.map((date) => barOf(symbol, date, date < LAST ? '40' : '50')),
    ),
  );
  await db.query(
    `insert into share_split values ('SPLT', '2026-11-21', 'files', 'splits', 10, 1, now())`,
  );
  await db.transaction(async (tx) => {
    const profiles = [
      ...['MERD', 'EARL', 'LATE', 'SPLT', 'BARE'].map((symbol) => profileOf(symbol)),
      profileOf('RCPT', { tags: ['adr'] }),
    ];
    await profileVersions.insert(tx, profiles, SEEN_AT);
    const quote = { price: '100', marketCap: '90000', priceDate: localDate('2026-11-02') };
    const early = ['EARL', 'RCPT', 'SPLT', 'BARE'].map((symbol) => ({ symbol, ...quote }));
    await recordQuotes(tx, early, CLOSED_AT - 1);
    await recordQuotes(tx, [{ symbol: 'LATE', ...quote }], CLOSED_AT);
    const ids = { id: 'div_x', securityId: 'sec_MERD', symbol: 'MERD', name: null };
    const dates = { recordDate: null, paymentDate: null, declarationDate: null };
    const amounts = { amount: '0.25', splitAdjustedAmount: '0.25', annualizedAmount: '1' };
    const kind = { currency: 'USD', type: 'cash', frequency: 'quarterly' } as const;
    const rest = { status: 'declared', flags: [], provenance: {}, updatedAt: SEEN_AT } as const;
    const exDate = localDate('2026-12-01');
    const dividend = { ...ids, exDate, ...dates, ...amounts, ...kind, ...rest, flags: [] };
    await dividendVersions.insert(tx, [dividend], SEEN_AT);
  });
});

afterAll(() => db.close());

test('returns the same last close and market capitalization in every response', async () => {
  const agreed = async (): Promise<void> => {
    const parameters = { symbol: 'MERD' };
    expect(await bodyOf(profileEndpoint, parameters)).toMatchObject({
      price: 50,
      marketCap: 50_000,
    });
    expect(await bodyOf(companyEarnings, parameters)).toMatchObject([{ marketCap: 50_000 }]);
    const day = { date: LAST };
    expect(await bodyOf(calendarEarnings, day)).toMatchObject({ pre: [{ marketCap: 50_000 }] });
    expect(await bodyOf(earningsMovers, day)).toMatchObject({ data: [{ marketCap: 50_000 }] });
    // A dividend of one dollar a year with a last close of fifty dollars.
    expect(await bodyOf(calendarDividends, {})).toMatchObject([{ yield: 2 }]);
  };
  await agreed();
  const quote = { symbol: 'MERD', price: '100', marketCap: '90000' };
  await db.transaction((tx) => recordQuotes(tx, [quote], SEEN_AT));
  await agreed();
});

test('uses the market capitalization from a price list until a newer close is available', async () => {
  expect(await closeOf('LATE')).toMatchObject({ price: '50', marketCap: '90000' });
  expect(await closeOf('EARL')).toMatchObject({ price: '50', marketCap: '50000' });
});

test('adjusts share counts from before a split', async () => {
  expect(await closeOf('SPLT')).toEqual({ price: '5', priceDate: LAST, marketCap: '50000' });
});

test('uses the market capitalization from price lists for depositary receipts, which do not represent exactly one share each', async () => {
  expect(await closeOf('RCPT')).toMatchObject({ price: '50', marketCap: '90000' });
});

test('uses the newest quote as the price if there is no session, and null if there is no quote either', async () => {
  const quoted = { price: '100', priceDate: '2026-11-02', marketCap: '90000' };
  expect(await closeOf('BARE')).toEqual(quoted);
  expect(await closeOf('NONE')).toEqual({ price: null, priceDate: null, marketCap: null });
});

test('loads last closes for many companies with the same number of queries as for one', async () => {
  const looksFor = async (symbols: readonly string[]): Promise<number> => {
    let looks = 0;
    const counted: Queryable = {
      query(sql, values) {
        looks++;
        return db.query(sql, values);
      },
    };
    const rows = symbols.map((symbol) => ({ securityId: `sec_${symbol}`, symbol }));
    await loadLastCloses(counted, rows, { today: TODAY, market });
    return looks;
  };
  expect(await looksFor(SYMBOLS)).toBe(await looksFor(['EARL']));
});

test('invalidates cached responses when closes or share counts change', () => {
  const day = parameterValues({ date: LAST });
  const topics = expect.arrayContaining(['bars', 'quotes', 'shares', 'market-overrides']);
  expect(calendarEarnings.topics(day, NOW)).toEqual(topics);
  expect(earningsMovers.topics(day, NOW)).toEqual(topics);
  expect(companyEarnings.topics(parameterValues({ symbol: 'MERD' }), NOW)).toEqual(
    expect.arrayContaining(['bars:symbol:MERD', 'bars:all', 'profile:MERD', 'market-overrides']),
  );
});

function profileOf(symbol: string, changes: Partial<ProfileFields> = {}) {
  const unknown = { cik: null, exchange: null, mic: null, sector: null, industry: null };
  const location = { country: null, countryCode: null, countryEmoji: null, sicCode: null };
  const days = { listDate: null, delistDate: null, fiscalYearEnd: null };
  const shares = { outstandingShares: '1000', outstandingSharesAllClasses: '1000' };
  const fields: ProfileFields = {
    companyName: `${symbol} Inc.`,
    ...unknown,
    ...location,
    ...days,
    ...shares,
    classification: 'sic',
    type: 'equity',
    tags: [],
    active: true,
    formerSymbols: [],
    sharesAsOf: localDate('2026-10-30'),
    ...changes,
  };
  return { securityId: `sec_${symbol}`, symbol, provenance: {}, updatedAt: SEEN_AT, fields };
}

async function closeOf(symbol: string) {
  const securityId = `sec_${symbol}`;
  const closes = await loadLastCloses(db, [{ securityId, symbol }], { today: TODAY, market });
  return closes.get(securityId);
}

async function bodyOf(endpoint: Endpoint, parameters: Parameters<typeof parameterValues>[0]) {
  const response = await endpoint.handle(parameterValues(parameters), { db, now: NOW });
  if (response.kind !== 'body') throw new Error('no body');
  return response.body;
}
