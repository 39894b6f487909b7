import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog, silentLog } from '../../test/support/logs.ts';
import type { Queryable } from '../storage/db.ts';
import { startRequestLog } from './request-log.ts';
import { loadRequests, type LoggedRequest, type RequestQuery } from './request-log-store.ts';

const NOW = Date.parse('2026-11-20T17:00:00Z');
const DAY_MS = 86_400_000;

function requestOf(number: number, fields: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    at: NOW + number,
    customerId: 'c1',
    keyId: 'k1',
    method: 'GET',
    status: 200,
    path: '/v1/market-status',
    durationMs: 1.25,
    requestId: `r${number}`,
    ...fields,
  };
}

onEachEngine((db) => {
  async function recordAll(requests: LoggedRequest[], now = NOW): Promise<void> {
    const log = startRequestLog({ db: db(), clock: fakeClock(now), log: silentLog });
    for (const request of requests) log.record(request);
    await log.stop();
  }

  async function ids(query: Partial<RequestQuery>): Promise<string[]> {
    const page = await loadRequests(db(), { customerId: 'c1', limit: 100, ...query });
    return page.requests.map(({ requestId }) => requestId);
  }

  test('returns recorded requests newest first, and only to the customer that made them', async () => {
    await recordAll([requestOf(1), requestOf(2, { customerId: 'c2' }), requestOf(3)]);
    const { requests, next } = await loadRequests(db(), { customerId: 'c1', limit: 2 });
    expect(requests).toEqual([
      { ...requestOf(3), position: 3 },
      { ...requestOf(1), position: 1 },
    ]);
    expect(next).toBeNull();
    expect(await ids({ customerId: null })).toEqual(['r3', 'r2', 'r1']);
  });

  test('pages through requests without gaps or repetitions while new requests arrive', async () => {
    await recordAll(Array.from({ length: 25 }, (_, index) => requestOf(index)));
    const requestIds: string[] = [];
    let before: number | undefined;
    for (let page = 0; page < 3; page += 1) {
      const result = await loadRequests(db(), { customerId: 'c1', limit: 10, before });
      requestIds.push(...result.requests.map(({ requestId }) => requestId));
      before = result.next ?? undefined;
      await recordAll([requestOf(100 + page)]);
    }
    expect(before).toBeUndefined();
    expect(requestIds).toEqual(Array.from({ length: 25 }, (_, index) => `r${24 - index}`));
  });

  const filters: [Partial<RequestQuery>, string[]][] = [
    [{}, ['r4', 'r3', 'r2', 'r1']],
    [{ keyId: 'k2' }, ['r2']],
    [{ statusMin: 400, statusMax: 499 }, ['r3']],
    [{ statusMin: 304 }, ['r4', 'r3']],
    [{ pathStart: '/v1/profile/' }, ['r2']],
    [{ pathStart: '/v1/profile/%' }, []],
    [{ requestId: 'r3' }, ['r3']],
    [{ from: NOW + 2, to: NOW + 4 }, ['r3', 'r2']],
    [{ from: NOW + 2, statusMax: 399 }, ['r4', 'r2']],
  ];

  test('filters requests by key, status, path, id and time, alone and combined', async () => {
    await recordAll([
      requestOf(1),
      requestOf(2, { keyId: 'k2', path: '/v1/profile/AAPL' }),
      requestOf(3, { status: 404 }),
      requestOf(4, { status: 304 }),
    ]);
    for (const [filter, expected] of filters) {
      expect(await ids(filter), JSON.stringify(filter)).toEqual(expected);
    }
  });

  test('removes keys from logged paths, and characters that a column cannot store', async () => {
    const key = `eds_live_${'a'.repeat(38)}`;
    await recordAll([
      requestOf(1, { path: `/v1/earnings?symbol=${key}` }),
      requestOf(2, { path: '/v1/earnings?apikey=hunter22&symbol=A\0B' }),
      requestOf(3, { path: `/${'x'.repeat(5_000)}` }),
    ]);
    const { requests } = await loadRequests(db(), { customerId: 'c1', limit: 9 });
    const [long, named, plain] = requests.map(({ path }) => path);
    expect(plain).not.toContain(key);
    expect(named).toBe('/v1/earnings?apikey=[redacted]&symbol=AB');
    expect(long).toHaveLength(2_048);
  });

  test('deletes logged requests that are too old, and the oldest ones above the maximum number', async () => {
    await recordAll(Array.from({ length: 10 }, (_, index) => requestOf(index)));
    await recordAll([requestOf(31 * DAY_MS)], NOW + 30 * DAY_MS + 5);
    expect(await ids({})).toEqual([`r${31 * DAY_MS}`, 'r9', 'r8', 'r7', 'r6', 'r5']);
    const clock = fakeClock(NOW);
    const log = startRequestLog({ db: db(), clock, log: silentLog, keepRows: 3 });
    log.record(requestOf(77));
    await log.stop();
    expect(await ids({})).toEqual(['r77', `r${31 * DAY_MS}`, 'r9']);
  });
});

test('buffers requests in order while the store is unavailable, up to a limit, and counts the dropped requests', async () => {
  let isAway = true;
  const writtenIds: string[] = [];
  const db: Queryable = {
    query: (_sql, params = []) => {
      if (isAway) return Promise.reject(new Error('away'));
      const [rows] = params;
      if (typeof rows === 'string') {
        writtenIds.push(...(JSON.parse(rows) as LoggedRequest[]).map(({ requestId }) => requestId));
      }
      return Promise.resolve([]);
    },
  };
  const clock = fakeClock(NOW);
  const warnings = memoryLog();
  const log = startRequestLog({ db, clock, log: warnings });
  for (let index = 0; index < 20_005; index += 1) log.record(requestOf(index));
  expect(log.dropped).toBe(5);
  await clock.advance(250);
  expect(writtenIds).toEqual([]);
  isAway = false;
  await clock.advance(1_000 + 10 * 250);
  expect(writtenIds).toEqual(Array.from({ length: 20_000 }, (_, index) => `r${index}`));
  expect(warnings.entries.at(-1)).toMatchObject({ level: 'warn', fields: { requests: 5 } });
  await log.stop();
});

test('writes every buffered request when the log is stopped, in several batches if needed', async () => {
  let rows = 0;
  const db: Queryable = {
    query: (_sql, params = []) => {
      if (typeof params[0] === 'string') rows += (JSON.parse(params[0]) as unknown[]).length;
      return Promise.resolve([]);
    },
  };
  const log = startRequestLog({ db, clock: fakeClock(NOW), log: silentLog });
  for (let index = 0; index < 7_000; index += 1) log.record(requestOf(index));
  await log.stop();
  expect(rows).toBe(7_000);
});

test('writes at most one batch per 250 ms, however many requests wait', async () => {
  const sizes: number[] = [];
  const db: Queryable = {
    query: (_sql, params = []) => {
      if (typeof params[0] === 'string') sizes.push((JSON.parse(params[0]) as unknown[]).length);
      return Promise.resolve([]);
    },
  };
  const clock = fakeClock(NOW);
  const log = startRequestLog({ db, clock, log: silentLog });
  for (let index = 0; index < 5_000; index += 1) log.record(requestOf(index));
  await clock.advance(249);
  expect(sizes).toEqual([]);
  await clock.advance(1);
  expect(sizes).toEqual([2_000]);
  await clock.advance(500);
  expect(sizes).toEqual([2_000, 2_000, 1_000]);
  await log.stop();
});
