import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoint } from '../src/endpoints/market-status.ts';
import { ResponseCache } from '../src/http/response-cache.ts';
import { createReadApi } from '../src/http/read-api.ts';
import { followStaleTopics } from '../src/ingest/stale-topics.ts';
import type { Db } from '../src/storage/db.ts';
import { type Management, startManagement } from './support/management-server.ts';
import { memoryStore } from './support/stores.ts';

const OVERRIDES = '/operator/v1/market-overrides';

let db: Db;
let management: Management;
let operator: { headers: Record<string, string> };
let stop: () => Promise<void>;
let status: () => Promise<Record<string, unknown>>;

// Friday 2026-11-20, 10:30 in New York: the market is open.
beforeAll(async () => {
  db = await memoryStore();
  const cache = new ResponseCache({ sizeMaxBytes: 1_000_000 });
  const told = Promise.withResolvers<{ pollNow(): Promise<void> }>();
  const onCalendarChange = async () => (await told.promise).pollNow();
  management = await startManagement(db, { onCalendarChange });
  const { clock, deps, keys, log } = management;
  const onStale = (topics: readonly string[] | 'all') =>
    topics === 'all' ? cache.invalidateAll() : cache.invalidate(topics);
  const commits = await followStaleTopics({ db, clock, log, onStale });
  told.resolve(commits);
  const { random } = deps;
  const readApi = createReadApi({
    endpoints: [endpoint],
    db,
    clock,
    random,
    keys,
    cache,
    dataSource: 'synthetic',
    log,
  });
  operator = await management.person('operator', null);
  const customerId = await management.customer('Quiet Pine Research');
  const { key } = await management.program(customerId, ['read']);
  status = async () => {
    const url = `/v1/market-status?apikey=${key}`;
    const request = { method: 'GET', url, headers: {}, remoteAddress: '198.51.100.7' };
    const answer = await readApi.handle(request);
    return JSON.parse(String(answer.body)) as Record<string, unknown>;
  };
  stop = async () => {
    commits.stop();
    await management.stop();
    await db.close();
  };
});
afterAll(() => stop());

function add(body: object) {
  return management.call('POST', OVERRIDES, { ...operator, body });
}

test('shows a day as closed in the response right after an override, and as open again once the override is revoked', async () => {
  expect(await status()).toMatchObject({ currentMarketStatus: 'open', isTodayOpen: true });
  const made = await add({ date: '2026-11-20', kind: 'closed', reason: 'Power failure' });
  expect(made.status).toBe(201);
  expect(await status()).toMatchObject({
    currentMarketStatus: 'closed',
    isTodayOpen: false,
    closedReason: 'special-closure',
    holiday: 'Power failure',
    nextOpenDate: '2026-11-23',
  });
  const path = `${OVERRIDES}/${made.json.id}`;
  expect((await management.call('DELETE', path, operator)).status).toBe(204);
  expect(await status()).toMatchObject({ currentMarketStatus: 'open', isTodayOpen: true });
  expect((await management.call('DELETE', path, operator)).status).toBe(404);
});

test("changes a trading day's hours for an early close or a late open", async () => {
  const early = { date: '2026-11-20', kind: 'early-close', time: '12:15', reason: 'Storm' };
  await add({ ...early, note: 'the exchange rang at ten' });
  expect(await status()).toMatchObject({
    currentMarketStatus: 'open',
    isEarlyClose: true,
    nextClose: '2026-11-20T12:15:00-05:00',
  });
  await add({ date: '2026-11-23', kind: 'late-open', time: '11:00', reason: 'Storm' });
  expect(await status()).toMatchObject({ nextOpen: '2026-11-23T11:00:00-05:00' });
  const listed = await management.call('GET', OVERRIDES, operator);
  expect(listed.rows).toMatchObject([
    { date: '2026-11-23', kind: 'late-open', time: '11:00', revokedAt: null },
    { date: '2026-11-20', kind: 'early-close', time: '12:15', note: 'the exchange rang at ten' },
    { date: '2026-11-20', kind: 'closed', time: null, revokedAt: '2026-11-20T15:30:00Z' },
  ]);
  const audit = await management.call('GET', '/operator/v1/audit?limit=500', operator);
  const acts = (audit.json['events'] as { act: string }[]).map(({ act }) => act);
  expect(acts.slice(0, 4)).toEqual([
    'market-override.add',
    'market-override.add',
    'market-override.revoke',
    'market-override.add',
  ]);
});

test.each([
  [{ date: '2026-11-21', kind: 'closed', reason: 'a Saturday' }, 'date'],
  [{ date: '2026-13-01', kind: 'closed', reason: 'no day' }, 'date'],
  [{ date: '2026-11-24', kind: 'closed', time: '12:00', reason: 'closed at noon' }, 'time'],
  [{ date: '2026-11-24', kind: 'early-close', reason: 'when?' }, 'time'],
  [{ date: '2026-11-24', kind: 'early-close', time: '25:00', reason: 'no time' }, 'time'],
  [{ date: '2026-11-24', kind: 'early-close', time: '18:00', reason: 'after the close' }, 'date'],
  [{ date: '2026-11-24', kind: 'late-open', time: '09:00', reason: 'before the open' }, 'date'],
  [{ date: '2026-11-24', kind: 'holiday', reason: 'no such kind' }, 'kind'],
  [{ date: '2026-11-24', kind: 'closed', reason: ' ' }, 'reason'],
])('rejects the market override %j because of its %s', async (body, parameter) => {
  const reply = await add(body);
  expect(reply.json).toMatchObject({ status: 400, code: 'invalid-parameter', parameter });
});
