import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upcomingRow, envelope } from '../../test/support/write-recording.ts';
import { silentLog } from '../../test/support/logs.ts';
import { emptyStore, memoryStore } from '../../test/support/stores.ts';
import {
  countOpenRequests,
  finishRequest,
  loadBatchProgress,
  nextRequest,
  queueRequests,
} from '../datasets/jobs/request-store.ts';
import { localDate } from '../domain/local-date.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { parseInstant } from '../platform/instant.ts';
import type { FetchResult } from '../platform/source-client.ts';
import { seededRandom } from '../platform/random.ts';
import type { Provider } from '../providers/provider.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Db } from '../storage/db.ts';
import { runBatch } from './run-batch.ts';
import { createIngest } from './ingest.ts';
import { processName } from '../storage/folder/process-identity.ts';
import { planDays } from './plan-batch.ts';
import { liveDeps } from './start-live.ts';

const NOON = parseInstant('2026-11-19T17:00:00Z') ?? 0;
const nasdaq = providers.find(({ name }) => name === 'nasdaq') as Provider;

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

let batches = 0;

type Reply = (url: string) => FetchResult | 'hang';

/** Creates a process that runs backfills against a scripted source. */
function batchProcess(reply: Reply) {
  const clock = fakeClock(NOON);
  const requested: string[] = [];
  const end = new AbortController();
  const holders: string[] = [];
  const cooldown: { current: { reason: 'blocked'; retryAt: number } | null } = { current: null };
  const source = {
    cooldown: () => cooldown.current,
    fetch: async ({ url, signal }: { url: string; signal?: AbortSignal }): Promise<FetchResult> => {
      requested.push(new URL(url).searchParams.get('date') ?? url);
      const result = reply(url);
      if (result !== 'hang') return result;
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { kind: 'unavailable', reason: 'stopped', retryAt: clock.now() };
    },
  };
  const deps = liveDeps(
    {
      db,
      clock,
      providers: [nasdaq],
      log: silentLog,
      random: seededRandom(1),
      setting: () => undefined,
      ingest: createIngest({
        db,
        clock,
        providers: [nasdaq],
        onCommit: () => undefined,
      }),
    },
    { source: () => source, close: () => Promise.resolve() },
  );

  async function backfill(from: string, to: string, isRefetch = false) {
    const plan = await planDays(deps, [nasdaq], {
      feed: 'calendar-earnings',
      from: localDate(from),
      to: localDate(to),
    });
    const batch = {
      id: `batch ${++batches}`,
      isUrgent: false,
      isRefetch,
      now: clock.now(),
    };
    const requests = await queueRequests(db, plan.requests, batch);
    const events = {
      onProgress: () => undefined,
      onCooldown: () => undefined,
      onStandby: (_: string, holder: string) => void holders.push(holder),
    };
    const load = () => loadBatchProgress(db, batch.id);
    const progress = await advanceUntil(runBatch(deps, [nasdaq], load, events, end.signal));
    return { requests, progress };
  }

  /** Advances the clock while the store is idle, until the promise settles. */
  async function advanceUntil<T>(promise: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    promise.then(end, end);
    while (!state.isOver) {
      await db.query('select 1');
      await clock.advance(500);
    }
    return promise;
  }

  return { requested, holders, cooldown, clock, backfill, stop: () => end.abort() };
}

function day(url: string): FetchResult {
  const response = {
    url,
    status: 200,
    contentType: 'application/json',
    observedAt: NOON,
    text: JSON.stringify(envelope([upcomingRow('MERD')])),
  };
  return { kind: 'response', response };
}

describe('a backfill', () => {
  it('requests each weekday in a backfill once, newest first, and counts the results', async () => {
    const { requested, backfill } = batchProcess(day);
    const { requests, progress } = await backfill('2026-11-05', '2026-11-11');
    expect(requested).toEqual([
      '2026-11-11',
      '2026-11-10',
      '2026-11-09',
      '2026-11-06',
      '2026-11-05',
    ]);
    expect(requests).toBe(5);
    expect(progress).toMatchObject({ open: 0, ingested: 5, rows: 5 });
  });

  it('skips finished backfill requests unless a refetch is requested', async () => {
    const { requested, backfill } = batchProcess(day);
    await backfill('2026-11-05', '2026-11-06');
    expect((await backfill('2026-11-04', '2026-11-06')).requests).toBe(1);
    expect(requested).toEqual(['2026-11-06', '2026-11-05', '2026-11-04']);
    expect((await backfill('2026-11-05', '2026-11-06', true)).requests).toBe(2);
    expect(requested).toHaveLength(5);
  });

  it('fetches a day again if it had not ended when it was first requested', async () => {
    const { requested, backfill } = batchProcess(day);
    await backfill('2026-11-19', '2026-11-19');
    expect((await backfill('2026-11-19', '2026-11-19')).requests).toBe(1);
    expect(requested).toEqual(['2026-11-19', '2026-11-19']);
  });

  it('resumes a backfill after an abort', async () => {
    const first = batchProcess((url) => {
      if (url.includes('2026-11-09')) queueMicrotask(first.stop);
      return url.includes('2026-11-09') ? 'hang' : day(url);
    });
    const { progress } = await first.backfill('2026-11-05', '2026-11-11');
    expect(progress).toMatchObject({ open: 3, ingested: 2 });
    expect(await countOpenRequests(db)).toEqual([
      { provider: 'nasdaq', requests: 3, oldestDay: '2026-11-05' },
    ]);
    const second = batchProcess(day);
    const resumed = await second.backfill('2026-11-05', '2026-11-11');
    expect(second.requested).toEqual(['2026-11-09', '2026-11-06', '2026-11-05']);
    expect(resumed.progress).toMatchObject({ open: 0, ingested: 3 });
  });

  it('gives up on a request after three failed attempts, and retries it in the next backfill', async () => {
    const { requested, backfill } = batchProcess((url) =>
      url.includes('2026-11-06')
        ? { kind: 'unavailable', reason: 'timeout', retryAt: 0 }
        : day(url),
    );
    const { progress } = await backfill('2026-11-05', '2026-11-06');
    expect(progress).toMatchObject({ open: 0, ingested: 1, unavailable: 1 });
    expect(requested.filter((date) => date === '2026-11-06')).toHaveLength(3);
    expect((await backfill('2026-11-05', '2026-11-06')).requests).toBe(1);
  });

  it('stops a backfill at a long cooldown and keeps the open requests', async () => {
    const world = batchProcess((url) => {
      world.cooldown.current = { reason: 'blocked', retryAt: world.clock.now() + 3_600_000 };
      return day(url);
    });
    const { progress } = await world.backfill('2026-11-05', '2026-11-11');
    expect(progress).toMatchObject({ open: 4, ingested: 1 });
    expect(world.requested).toEqual(['2026-11-11']);
  });

  it('stops a backfill after repeated cooldowns without a response', async () => {
    const world = batchProcess(day);
    const setTimer = world.clock.setTimer.bind(world.clock);
    world.cooldown.current = { reason: 'blocked', retryAt: NOON + 60_000 };
    setTimer(
      60_000,
      () => (world.cooldown.current = { reason: 'blocked', retryAt: NOON + 180_000 }),
    );
    setTimer(
      180_000,
      () => (world.cooldown.current = { reason: 'blocked', retryAt: NOON + 400_000 }),
    );
    setTimer(
      400_000,
      () => (world.cooldown.current = { reason: 'blocked', retryAt: NOON + 900_000 }),
    );
    const { progress } = await world.backfill('2026-11-05', '2026-11-05');
    expect(progress).toMatchObject({ open: 1 });
    expect(world.clock.now()).toBeLessThan(NOON + 600_000);
  });

  it('leaves the requests to a process that already ingests from the source', async () => {
    await db.query(
      `insert into ingest_lease (name, token, beat, holder) values ('nasdaq', 1, 0, $1)`,
      [processName()],
    );
    const { requested, holders, backfill } = batchProcess(day);
    const running = backfill('2026-11-10', '2026-11-10');
    // The process with the lease makes the request.
    while (holders.length === 0) await db.query('select 1');
    const request = await nextRequest(db, 'nasdaq', { isUrgentOnly: false, exceptHosts: [] });
    if (request !== null) {
      await finishRequest(db, request, { outcome: 'ingested', rows: 7, now: NOON });
    }
    expect((await running).progress).toMatchObject({ open: 0, ingested: 1, rows: 7 });
    expect(requested).toEqual([]);
    expect(holders).toContain(processName());
  });

  it('stops waiting for another process that makes no progress', async () => {
    await db.query(
      `insert into ingest_lease (name, token, beat, holder) values ('nasdaq', 1, 0, $1)`,
      [processName()],
    );
    // The process with the lease is alive and renews it.
    const { clock, backfill } = batchProcess(day);
    const heartbeats = { isOver: false };
    const renewing = (async () => {
      while (!heartbeats.isOver) await db.query('update ingest_lease set beat = beat + 1');
    })();
    const { progress } = await backfill('2026-11-10', '2026-11-10');
    heartbeats.isOver = true;
    await renewing;
    expect(progress.open).toBe(1);
    expect(clock.now()).toBeGreaterThan(NOON + 20 * 60_000);
  });
});
