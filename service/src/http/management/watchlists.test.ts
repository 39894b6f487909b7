import { beforeAll, describe, expect, test } from 'vitest';
import { eventOf, SEEN_AT, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { useWebhookManagement } from '../../../test/support/webhook-management.ts';
import { TESTER } from '../../../test/support/account-world.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import { loadWatchlistSymbols } from '../../accounts/watchlists/watchlist-store.ts';
import { changeCustomerPlan } from '../../accounts/customers/customers.ts';
import { addPlan } from '../../accounts/plans/plans.ts';
import { localDate } from '../../domain/local-date.ts';
import { endpoints } from '../../endpoints/registry.gen.ts';
import { seededRandom } from '../../platform/random.ts';
import { createReadApi, type ReadApi } from '../read-api.ts';
import { ResponseCache } from '../response-cache.ts';

const LISTS = '/account/v1/watchlists';
const TECH = `${LISTS}/tech`;
const SYMBOLS = ['AAA', 'BBB', 'CCC'];

const world = useWebhookManagement();
const { call } = world;
let api: ReadApi;

beforeAll(async () => {
  const { db, management } = world;
  await storeRows(db, {
    securities: SYMBOLS.map((symbol) => securityOf(symbol)),
    events: SYMBOLS.map((symbol) => eventOf(symbol, { id: `ern_${symbol}` })),
  });
  api = createReadApi({
    endpoints,
    db,
    clock: management.clock,
    random: seededRandom(3),
    keys: management.keys,
    cache: new ResponseCache({ sizeMaxBytes: 1e6 }),
    dataSource: 'synthetic',
    log: memoryLog(),
  });
});

describe('watchlists', () => {
  test('creates, reads, replaces, extends, reduces and deletes a watchlist', async () => {
    expect((await call('GET', LISTS)).rows).toEqual([]);
    const created = await call('PUT', `${LISTS}/Tech`, { symbols: 'bbb, AAA' });
    expect([created.status, created.json]).toMatchObject([
      200,
      { name: 'tech', size: 2, symbols: ['AAA', 'BBB'] },
    ]);
    expect((await call('PUT', TECH, { symbols: ['BBB'] })).json).toMatchObject({ size: 1 });
    const changed = await call('PATCH', TECH, { add: 'CCC', remove: ['BBB', 'ZZZ'] });
    expect(changed.json).toMatchObject({ symbols: ['CCC'], size: 1 });
    expect((await call('GET', TECH)).json).toEqual(changed.json);
    expect((await call('GET', LISTS)).rows).toMatchObject([{ name: 'tech', size: 1 }]);
    expect((await call('DELETE', TECH)).status).toBe(204);
    expect((await call('GET', TECH)).status).toBe(404);
    expect((await call('PATCH', TECH, { add: 'CCC' })).status).toBe(404);
    const { json } = await call('GET', '/account/v1/audit?act=watchlist.');
    const events = json['events'] as { act: string; details: unknown }[];
    expect(events.map(({ act }) => act)).toEqual([
      'watchlist.delete',
      'watchlist.change',
      'watchlist.change',
      'watchlist.change',
      'watchlist.create',
    ]);
    expect(events[1]?.details).toMatchObject({ symbolsAdded: ['CCC'], symbolsRemoved: ['BBB'] });
  });

  test('saves nothing if a symbol is unknown, and names it', async () => {
    await call('PUT', TECH, { symbols: 'AAA' });
    const refused = await call('PUT', TECH, { symbols: 'BBB, NOPE, 1!' });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { code: 'invalid-symbol', parameter: 'symbols', unknown: ['NOPE'], invalid: ['1!'] },
    ]);
    expect((await call('GET', TECH)).json['symbols']).toEqual(['AAA']);
    const misnamed = await call('PUT', `${LISTS}/a%20b`, { symbols: 'AAA' });
    expect([misnamed.status, misnamed.json['parameter']]).toEqual([400, 'name']);
    expect((await call('GET', `${LISTS}/other`)).status).toBe(404);
  });

  test('refuses more lists and companies than the plan allows, and lets larger lists shrink', async () => {
    const { management, customerId } = world;
    await call('PUT', TECH, { symbols: SYMBOLS });
    const limits = { perMinute: 60, perDay: null, perMonth: null, historyMonths: null };
    const compute = { computeMsPerMinute: null };
    const small = {
      name: 'small',
      ...limits,
      ...compute,
      watchlistsMax: 2,
      watchlistCompaniesMax: 1,
    };
    await addPlan(management.deps, small, TESTER);
    await changeCustomerPlan(management.deps, { customerId, plan: 'small' }, TESTER);
    const { json } = await call('GET', '/account/v1/account');
    expect(json['plan']).toEqual(small);
    expect((await call('PATCH', TECH, { remove: 'AAA' })).json['size']).toBe(2);
    const refusalOf = async (method: 'PATCH' | 'PUT', path: string, body: object) => {
      const refused = await call(method, path, body);
      return [refused.status, refused.json.code, refused.json['detail']];
    };
    const tooLong = [409, 'conflict', 'Your plan allows at most 1 companies on a watchlist.'];
    expect(await refusalOf('PATCH', TECH, { add: 'AAA' })).toEqual(tooLong);
    expect(await refusalOf('PUT', `${LISTS}/long`, { symbols: 'AAA BBB' })).toEqual(tooLong);
    expect((await call('GET', LISTS)).rows).toMatchObject([{ name: 'tech', size: 2 }]);
    expect((await call('PUT', `${LISTS}/second`, { symbols: 'AAA' })).status).toBe(200);
    expect(await refusalOf('PUT', `${LISTS}/third`, { symbols: 'AAA' })).toEqual([
      409,
      'conflict',
      'Your plan allows at most 2 watchlists. Delete one first.',
    ]);
    await call('DELETE', `${LISTS}/second`);
    await changeCustomerPlan(management.deps, { customerId, plan: 'pro' }, TESTER);
  });

  test('keeps a company under its new symbol after a renaming', async () => {
    const { db } = world;
    await call('PUT', TECH, { symbols: 'AAA' });
    await db.query(`update security set symbol = 'NEWA' where id = 'sec_AAA'`);
    expect((await call('GET', TECH)).json['symbols']).toEqual(['NEWA']);
    await db.query(`update security set symbol = 'AAA' where id = 'sec_AAA'`);
  });

  test('keeps a company whose security gets the id of an earlier symbol', async () => {
    const { db } = world;
    await storeRows(db, { securities: ['OLD', 'NEW'].map((symbol) => securityOf(symbol)) });
    await call('PUT', TECH, { symbols: 'AAA NEW' });
    await storeRows(db, { securities: [MERGED], removedSymbols: ['NEW'] });
    const { json } = await call('GET', TECH);
    expect(json).toMatchObject({ size: 2, symbols: ['AAA', 'NEWEST'] });
    const lists = await loadWatchlistSymbols(db, world.customerId, ['tech']);
    expect(lists.get('tech')).toEqual(['AAA', 'NEWEST']);
    const unchanged = await call('PUT', TECH, { symbols: 'AAA NEWEST' });
    expect(unchanged.json).toEqual(json);
    const reduced = await call('PATCH', TECH, { remove: 'NEWEST' });
    expect(reduced.json['symbols']).toEqual(['AAA']);
  });

  test('has a company once if the securities of two members are merged', async () => {
    const { db } = world;
    await storeRows(db, {
      securities: ['OLD', 'NEW'].map((symbol) => securityOf(symbol)),
      removedSymbols: ['NEWEST'],
    });
    await call('PUT', TECH, { symbols: 'OLD NEW' });
    await storeRows(db, { securities: [MERGED], removedSymbols: ['NEW'] });
    expect((await call('GET', TECH)).json).toMatchObject({ size: 1, symbols: ['NEWEST'] });
    expect((await call('PATCH', TECH, { add: 'AAA' })).json['symbols']).toEqual(['AAA', 'NEWEST']);
    expect((await call('GET', LISTS)).rows).toMatchObject([{ name: 'tech', size: 2 }]);
  });
});

/** The company of NEW, once its earlier symbol OLD is known, after it was renamed again. */
const MERGED = securityOf('OLD', {
  symbol: 'NEWEST',
  symbols: [
    { symbol: 'OLD', from: null, to: localDate('2026-10-01') },
    {
      symbol: 'NEW',
      from: localDate('2026-10-02'),
      to: localDate('2026-11-01'),
      earlierId: { id: 'sec_NEW', until: SEEN_AT },
    },
    { symbol: 'NEWEST', from: localDate('2026-11-02'), to: null },
  ],
});

describe('symbols=@name', () => {
  async function read(path: string, key: string, headers: Record<string, string> = {}) {
    const request = {
      method: 'GET',
      url: path,
      headers: { 'x-api-key': key, ...headers },
      remoteAddress: '198.51.100.7',
    };
    const { status, headers: pairs, body } = await api.handle(request);
    const header = (name: string) => pairs[pairs.indexOf(name) + 1] ?? '';
    return { status, header, text: body?.toString() ?? '' };
  }

  const DAY = '/v1/calendar/earnings?date=2026-11-20';
  const symbolsIn = (text: string) =>
    [...text.matchAll(/"symbol":"(\w+)"/g)].map(([, symbol]) => symbol);

  test('reads the companies of a list, together with symbols, in calendars, feeds and changes', async () => {
    await call('PUT', TECH, { symbols: 'AAA BBB' });
    const { key } = await world.management.program(world.customerId, ['read']);
    expect(symbolsIn((await read(`${DAY}&symbols=@tech`, key)).text)).toEqual(['AAA', 'BBB']);
    expect(symbolsIn((await read(`${DAY}&symbols=CCC,@TECH`, key)).text)).toEqual(SYMBOLS);
    const feed = await read('/v1/calendar/earnings.ics?symbols=@tech', key);
    expect([...feed.text.matchAll(/SUMMARY:(\w+)/g)].map(([, symbol]) => symbol)).toEqual([
      'AAA',
      'BBB',
    ]);
    const since = '2026-11-01T00:00:00Z';
    expect((await read(`/v1/changes?since=${since}&symbols=@tech`, key)).status).toBe(200);
    const unknown = await read(`${DAY}&symbols=@tecj`, key);
    expect([unknown.status, JSON.parse(unknown.text)]).toMatchObject([
      404,
      { code: 'unknown-watchlist', parameter: 'symbols', watchlist: 'tecj' },
    ]);
    expect((await read(`${DAY}&symbols=@a/b`, key)).status).toBe(400);
  });

  test("never serves a response of another customer's list, or of a list before its change", async () => {
    await call('PUT', TECH, { symbols: 'AAA' });
    const { key } = await world.management.program(world.customerId, ['read']);
    const path = `${DAY}&symbols=@tech`;
    const first = await read(path, key);
    expect(first.header('Cache-Control')).toBe('private, max-age=0');
    expect(first.header('Content-Location')).toContain('symbols=%40tech');
    const etag = { 'if-none-match': first.header('ETag') };
    expect((await read(path, key, etag)).status).toBe(304);
    await call('PATCH', TECH, { add: 'BBB' });
    const second = await read(path, key, etag);
    expect([second.status, symbolsIn(second.text)]).toEqual([200, ['AAA', 'BBB']]);
    const stranger = await world.newCustomer();
    const { key: otherKey } = await world.management.program(stranger, ['read']);
    expect((await read(path, otherKey)).status).toBe(404);
    const owner = await world.management.person('owner', stranger);
    const { headers } = owner;
    await world.management.call('PUT', TECH, { headers, body: { symbols: 'CCC' } });
    expect(symbolsIn((await read(path, otherKey)).text)).toEqual(['CCC']);
    expect(symbolsIn((await read(path, key)).text)).toEqual(['AAA', 'BBB']);
    const view = '/account/v1/explore/calendar-earnings?query=';
    const query = encodeURIComponent('date=2026-11-20&symbols=@tech');
    expect(symbolsIn((await call('GET', `${view}${query}`)).text)).toEqual(['AAA', 'BBB']);
  });

  test('counts the companies of a list toward the maximum of the parameter', async () => {
    const many = Array.from({ length: 101 }, (_, i) => `M${i}`);
    await storeRows(world.db, { securities: many.map((symbol) => securityOf(symbol)) });
    await call('PUT', TECH, { symbols: many });
    const { key } = await world.management.program(world.customerId, ['read']);
    const refused = await read('/v1/profile?symbols=@tech', key);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      400,
      {
        code: 'invalid-parameter',
        parameter: 'symbols',
        detail:
          'The parameter symbols names 101 companies with those of its watchlists. The maximum is 100.',
      },
    ]);
    expect((await read(`${DAY}&symbols=@tech`, key)).status).toBe(200);
    await call('PATCH', TECH, { remove: 'M100' });
    expect((await read('/v1/profile?symbols=@tech', key)).status).toBe(200);
  });

  test('continues to the next page of a list by its name', async () => {
    await call('PUT', TECH, { symbols: SYMBOLS });
    const { key } = await world.management.program(world.customerId, ['read']);
    const range = '/v1/calendar/earnings?from=2026-11-20&to=2026-11-21&limit=1&symbols=@tech';
    const page = await read(range, key);
    const next = /<([^>]+)>/.exec(page.header('Link'))?.[1] ?? '';
    expect(next).toContain('symbols=%40tech');
    expect((await read(next, key)).status).toBe(200);
  });
});
