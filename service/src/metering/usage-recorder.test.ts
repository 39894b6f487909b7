import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog, silentLog } from '../../test/support/logs.ts';
import { LoopHealth } from '../platform/loop-health.ts';
import type { Queryable } from '../storage/db.ts';
import { startUsageRecorder } from './usage-recorder.ts';
import { loadUsage, type UsageQuery } from './usage-store.ts';

const HOUR_MS = 3_600_000;
/** Half an hour before midnight in New York, during daylight saving time. */
const NOW = Date.parse('2026-10-31T23:30:00-04:00');

const ASKED: [keyId: string, customerId: string, endpoint: string, status: number, at: number][] = [
  ['k1', 'c1', 'earnings', 200, NOW],
  ['k1', 'c1', 'earnings', 200, NOW + 1],
  ['k2', 'c1', 'earnings', 404, NOW],
  ['k1', 'c1', 'profile', 304, NOW + HOUR_MS],
  // This request falls in the 25th hour of November 1 in New York, the day on which clocks go back.
  ['k1', 'c1', 'profile', 200, NOW + 25 * HOUR_MS],
  ['k1', 'c1', 'profile', 200, NOW + 26 * HOUR_MS],
  ['k9', 'c2', 'profile', 500, NOW],
];

const query: UsageQuery = {
  customerId: 'c1',
  from: NOW - HOUR_MS,
  to: NOW + 48 * HOUR_MS,
  interval: 'hour',
  split: 'none',
};

onEachEngine((db) => {
  async function recordAll(): Promise<void> {
    const usage = startUsageRecorder({ db: db(), clock: fakeClock(NOW), log: silentLog });
    for (const [keyId, customerId, endpoint, status, now] of ASKED) {
      usage.record({ keyId, customerId, endpoint, status, now });
    }
    await usage.stop();
  }

  test('adds new counts to those stored by the previous run', async () => {
    await recordAll();
    await recordAll();
    const slices = await loadUsage(db(), { ...query, customerId: null });
    expect(slices.map(({ requests }) => requests)).toEqual([8, 2, 2, 2]);
    expect(slices[0]?.at).toBe(NOW - HOUR_MS / 2);
  });

  test('groups usage by New York days, including a day of 25 hours', async () => {
    await recordAll();
    const slices = await loadUsage(db(), { ...query, interval: 'day' });
    expect(slices).toEqual([
      { at: Date.parse('2026-10-31T00:00:00-04:00'), name: '', requests: 3 },
      { at: Date.parse('2026-11-01T00:00:00-04:00'), name: '', requests: 2 },
      { at: Date.parse('2026-11-02T00:00:00-05:00'), name: '', requests: 1 },
    ]);
  });

  const splits: [UsageQuery['split'], Partial<UsageQuery>, [string, number][]][] = [
    ['none', {}, [['', 3]]],
    ['endpoint', {}, [['earnings', 3]]],
    [
      'status',
      {},
      [
        ['200', 2],
        ['404', 1],
      ],
    ],
    [
      'status-class',
      {},
      [
        ['2xx', 2],
        ['4xx', 1],
      ],
    ],
    [
      'key',
      {},
      [
        ['k1', 2],
        ['k2', 1],
      ],
    ],
    ['status', { keyId: 'k2' }, [['404', 1]]],
    ['key', { endpoint: 'profile' }, []],
    ['status-class', { customerId: 'c2' }, [['5xx', 1]]],
  ];

  test('splits the usage in an hour by endpoint, status, status class or key, and filters it by key and endpoint', async () => {
    await recordAll();
    for (const [split, filter, expected] of splits) {
      const slices = await loadUsage(db(), { ...query, ...filter, split, to: NOW + 1 });
      const counts = slices.map(({ name, requests }) => [name, requests]);
      expect(counts, `${split} of ${JSON.stringify(filter)}`).toEqual(expected);
    }
  });

  test('counts requests that arrive while writes fail, each once', async () => {
    const clock = fakeClock(NOW);
    const loops = new LoopHealth(clock);
    const health = loops.add('record usage', 'retried');
    let failures = 3;
    const flaky: Queryable = {
      query(sql, params) {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error('away')) : db().query(sql, params);
      },
    };
    const usage = startUsageRecorder({ db: flaky, clock, log: silentLog, health });
    const request = { keyId: 'k1', customerId: 'c1', endpoint: 'profile', status: 503, now: NOW };
    for (let second = 0; second < 40; second += 1) {
      usage.record(request);
      await clock.advance(1_000);
    }
    await usage.stop();
    const slices = await loadUsage(db(), query);
    expect(slices.map(({ requests }) => requests)).toEqual([40]);
    expect(loops.areRequiredHealthy()).toBe(true);
  });

  test('deletes only usage hours that are older than the retention period', async () => {
    await recordAll();
    const clock = fakeClock(NOW + 49 * HOUR_MS);
    const usage = startUsageRecorder({ db: db(), clock, log: silentLog, keepDays: 1 });
    usage.record({
      keyId: 'k1',
      customerId: 'c1',
      endpoint: 'x',
      status: 200,
      now: clock.now(),
    });
    await usage.stop();
    const slices = await loadUsage(db(), { ...query, to: NOW + 99 * HOUR_MS });
    expect(slices.map(({ at }) => at)).toEqual([NOW + 25.5 * HOUR_MS, NOW + 48.5 * HOUR_MS]);
  });
});

test('buffers counts while the store is unavailable, up to a limit, and logs the dropped counts', async () => {
  let isAway = true;
  let writtenRequests = 0;
  const db: Queryable = {
    query: (_sql, params = []) => {
      if (isAway) return Promise.reject(new Error('away'));
      const [rows] = params;
      if (typeof rows === 'string') {
        for (const row of JSON.parse(rows) as { requests: number }[])
          writtenRequests += row.requests;
      }
      return Promise.resolve([]);
    },
  };
  const clock = fakeClock(NOW);
  const log = memoryLog();
  const usage = startUsageRecorder({ db, clock, log });
  for (let index = 0; index < 20_010; index += 1) {
    const request = { keyId: `k${index}`, customerId: 'c', endpoint: 'e', status: 200, now: NOW };
    usage.record(request);
    usage.record(request);
  }
  await clock.advance(250);
  expect(log.entries).toHaveLength(1);
  isAway = false;
  await clock.advance(1_000);
  expect(writtenRequests).toBe(40_000);
  expect(log.entries.at(-1)).toMatchObject({ level: 'warn', fields: { requests: 20 } });
  await usage.stop();
  expect(writtenRequests).toBe(40_000);
});
