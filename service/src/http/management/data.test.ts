import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { barOf, ingestFileBars } from '../../../test/support/stored-bars.ts';
import { eventOf, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { localDate } from '../../domain/local-date.ts';
import type { Db } from '../../storage/db.ts';

let db: Db;
let management: Management;
let customerId: string;
let owner: Awaited<ReturnType<Management['person']>>;
let operator: Awaited<ReturnType<Management['person']>>;
let customers = 0;

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
  operator = await management.person('operator', null);
  await storeRows(db, {
    securities: [
      securityOf('QPR', { name: 'Quiet Pine Research', exchange: 'NYSE' }),
      securityOf('QPRX', { name: 'Reed Beds' }),
      securityOf('PINE', { name: 'Alder Works' }),
      securityOf('ZED', { name: 'The Pine Company' }),
      securityOf('OLDP', { name: 'Pineapple Gone', active: false }),
      ...Array.from({ length: 30 }, (_, i) => securityOf(`MANY${i}`)),
    ],
    events: [
      eventOf('QPR', { id: 'ern_1', date: localDate('2026-11-20') }),
      eventOf('QPR', { id: 'ern_0', date: localDate('2024-02-20') }),
      eventOf('ZED', { date: localDate('2026-11-17') }),
    ],
  });
  await ingestFileBars(db, [
    barOf('QPR', '2020-11-19', '5'),
    barOf('QPR', '2025-11-19', '9.5', { open: '9', high: '10', low: '8.75', volume: 1_200 }),
    barOf('QPR', '2026-11-19', '12.5'),
  ]);
});
beforeEach(async () => {
  customers += 1;
  customerId = await management.customer(`Quiet Pine ${customers}`, 'free');
  owner = await management.person('owner', customerId);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

function ask(path: string, who: { headers: Record<string, string> } = owner): Promise<Reply> {
  return management.call('GET', `/account/v1/${path}`, { headers: who.headers });
}

function explore(endpoint: string, query: string, who = owner): Promise<Reply> {
  return ask(`explore/${endpoint}?query=${encodeURIComponent(query)}`, who);
}

function historyOf(months: number): Promise<unknown> {
  return db.query(`update plan set history_months = $1 where name = 'free'`, [months]);
}

describe('exploring read endpoints', () => {
  test("returns an explored endpoint's response with its headers", async () => {
    const day = await explore('calendar-earnings', 'from=2026-11-16&to=2026-11-20&limit=1');
    const days = day.rows.map(({ date }) => date);
    expect([day.status, days]).toEqual([
      200,
      ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'],
    ]);
    expect(day.headers).toMatchObject({
      'content-type': 'application/json',
      'content-location': '/v1/calendar/earnings?from=2026-11-16&to=2026-11-20&limit=1',
      'x-total-count': '2',
      link: expect.stringContaining('cursor=') as string,
      'cache-control': 'no-store',
    });
    const table = await explore('calendar-earnings', 'date=2026-11-20&format=csv');
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(table.text).toContain('QPR');
  });

  test('accepts path parameters of an explored endpoint in the query', async () => {
    const profile = await explore('profile', 'symbol=qpr&include=provenance&surplus=1');
    expect(profile.json).toMatchObject({ symbol: 'QPR', provenance: {} });
    expect(profile.headers).toMatchObject({ 'x-ignored-parameters': 'surplus' });
    const none = await explore('profile', 'include=provenance');
    expect(none.json).toMatchObject({ code: 'missing-parameter', parameter: 'symbol' });
    const broken = await explore('profile', 'symbol=%E0%A4%A');
    expect(broken.json).toMatchObject({ code: 'missing-parameter', parameter: 'symbol' });
    const outside = await explore('profile', 'symbol=..%2Fearnings');
    expect(outside.json).toMatchObject({ code: 'invalid-symbol' });
  });

  test('rejects the same requests as the read API when exploring an endpoint', async () => {
    const unknown = await explore('earnings', 'symbol=QPRY');
    expect(unknown.json).toMatchObject({ code: 'unknown-symbol', suggestions: ['QPR', 'QPRX'] });
    const bad = await explore('calendar-earnings', 'date=someday');
    expect(bad.json).toMatchObject({ code: 'invalid-date', parameter: 'date' });
    const nothing = await explore('no-such-endpoint', '');
    expect([nothing.status, nothing.json.code]).toEqual([404, 'not-found']);
  });

  test("limits exploring to the plan's history, except for operators", async () => {
    await historyOf(12);
    const rows = await explore('earnings', 'symbol=QPR');
    expect(rows.rows.map(({ id }) => id)).toEqual(['ern_1']);
    expect(rows.headers).toMatchObject({ 'x-history-limited': 'true' });
    const far = await explore('calendar-earnings', 'date=2024-02-20');
    expect(far.json).toMatchObject({ status: 403, code: 'history-window-exceeded', plan: 'free' });
    const all = await explore('earnings', 'symbol=QPR', operator);
    expect(all.rows.map(({ id }) => id)).toEqual(['ern_1', 'ern_0']);
    const theirs = `explore/earnings?customerId=${customerId}&query=symbol%3DQPR`;
    expect((await ask(theirs, operator)).rows).toHaveLength(1);
  });

  test('lets people of active accounts explore endpoints, but not programs with keys', async () => {
    const program = await management.program(customerId);
    const keyed = await ask('explore/market-status', program);
    expect([keyed.status, keyed.json.code]).toEqual([403, 'forbidden']);
    await db.query('update customer set suspended_at = now() where id = $1', [customerId]);
    for (const path of ['explore/market-status', 'symbols?search=q', 'bars/QPR']) {
      expect((await ask(path)).json).toMatchObject({ status: 403, code: 'customer-suspended' });
    }
    expect((await ask(`bars/QPR?customerId=${customerId}`, operator)).status).toBe(200);
  });

  test('counts explored responses that are computed toward the minute of the plan, except for operators', async () => {
    const first = await explore('calendar-economic', 'date=2026-01-01');
    expect(first.headers['ratelimit']).toContain('"minute";r=59');
    const cached = await explore('calendar-economic', 'date=2026-01-01');
    expect(cached.headers['ratelimit']).toBeUndefined();
    await explore('calendar-economic', 'date=2026-01-02', operator);
    const next = await explore('calendar-economic', 'date=2026-01-03');
    expect(next.headers['ratelimit']).toContain('"minute";r=58');
    expect((await ask('account')).json['quotas']).toMatchObject([{ used: 0 }, { used: 0 }]);
  });

  test('refuses to compute an explored response once the computing time of the plan is used up', async () => {
    management.exhaust(customerId);
    const refused = await explore('calendar-earnings', 'date=2026-11-16');
    expect(refused.json).toMatchObject({ status: 429, violatedPolicies: ['compute'] });
    expect(
      (await ask(`explore/earnings?customerId=${customerId}&query=symbol%3DQPR`, operator)).status,
    ).toBe(200);
  });

  test('limits exploring to 120 requests per minute for each person', async () => {
    const codes = new Set<number>();
    for (let look = 0; look < 120; look++) codes.add((await ask('explore/market-status')).status);
    expect([...codes]).toEqual([200]);
    const late = await ask('explore/market-status');
    expect([late.status, late.json.code]).toEqual([429, 'too-many-attempts']);
    expect(late.headers['retry-after']).toBe('60');
    const colleague = await management.person('member', customerId);
    expect((await ask('explore/market-status', colleague)).status).toBe(200);
    await management.clock.advance(60_000);
    expect((await ask('explore/market-status')).status).toBe(200);
  });
});

describe('company search', () => {
  test('finds companies by symbol and name, best match first', async () => {
    const found = async (search: string) =>
      (await ask(`symbols?search=${search}`)).rows.map((each) => each['symbol']);
    expect(await found('qpr')).toEqual(['QPR', 'QPRX']);
    expect(await found('pine')).toEqual(['PINE', 'QPR', 'ZED', 'OLDP']);
    expect(await found('quiet%20p')).toEqual(['QPR']);
    expect(await found('%25')).toEqual([]);
    expect(await found('%20')).toEqual([]);
    const [first] = (await ask('symbols?search=QPR')).rows;
    expect(first).toEqual({
      symbol: 'QPR',
      name: 'Quiet Pine Research',
      exchange: 'NYSE',
      active: true,
    });
  });

  test('returns at most twenty companies for a search', async () => {
    expect((await ask('symbols?search=many')).rows).toHaveLength(20);
  });
});

describe('price bars', () => {
  test('returns one price bar per session, for the last twelve months by default', async () => {
    await historyOf(120);
    const usual = await ask('bars/qpr');
    expect(usual.json).toEqual({
      symbol: 'QPR',
      from: '2025-11-20',
      to: '2026-11-20',
      bars: [{ date: '2026-11-19', open: null, high: null, low: null, close: 12.5, volume: 1e6 }],
    });
    const more = await ask('bars/QPR?from=2025-01-01&to=2025-12-31');
    expect(more.json['bars']).toEqual([
      { date: '2025-11-19', open: 9, high: 10, low: 8.75, close: 9.5, volume: 1_200 },
    ]);
  });

  test("limits price bars to five years and to the plan's history", async () => {
    await historyOf(120);
    const long = await ask('bars/QPR?from=2020-11-19');
    expect(long.json).toMatchObject({ code: 'invalid-parameter', parameter: 'from' });
    const turned = await ask('bars/QPR?from=2026-11-20&to=2026-11-19');
    expect(turned.json).toMatchObject({ code: 'invalid-parameter', parameter: 'from' });
    await historyOf(6);
    expect((await ask('bars/QPR?from=2026-01-01')).json).toMatchObject({
      code: 'history-window-exceeded',
      earliestDate: '2026-05-20',
    });
    expect((await ask('bars/QPR')).json).toMatchObject({ from: '2026-05-20' });
    expect((await ask('bars/QPR?from=2026-01-01', operator)).status).toBe(200);
    expect((await ask('bars/NONE')).json).toMatchObject({ code: 'unknown-symbol' });
    expect((await ask('bars/1')).json).toMatchObject({ code: 'invalid-symbol' });
  });
});
