import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aheadRow, envelope } from '../../test/support/recording-maker.ts';
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
import { processName } from './lease.ts';
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

/** One process that makes back-fills, with a source that says what it is told. */
function gatherer(reply: Reply) {
  const clock = fakeClock(NOON);
  const asked: string[] = [];
  const end = new AbortController();
  const told: string[] = [];
  const rest: { now: { reason: 'blocked'; retryAt: number } | null } = { now: null };
  const source = {
    cooldown: () => rest.now,
    fetch: async ({ url, signal }: { url: string; signal?: AbortSignal }): Promise<FetchResult> => {
      asked.push(new URL(url).searchParams.get('date') ?? url);
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

  async function backfill(from: string, to: string, isAgain = false) {
    const plan = await planDays(deps, [nasdaq], {
      feed: 'calendar-earnings',
      from: localDate(from),
      to: localDate(to),
    });
    const batch = {
      id: `batch ${++batches}`,
      isUrgent: false,
      isRefetch: isAgain,
      now: clock.now(),
    };
    const wanted = await queueRequests(db, plan.requests, batch);
    const events = {
      progress: () => undefined,
      resting: () => undefined,
      elsewhere: (_: string, holder: string) => void told.push(holder),
    };
    const load = () => loadBatchProgress(db, batch.id);
    const progress = await driven(runBatch(deps, [nasdaq], load, events, end.signal));
    return { wanted, progress };
  }

  /** Time passes while the store is idle. */
  async function driven<T>(promise: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const over = (): void => void (state.isOver = true);
    promise.then(over, over);
    while (!state.isOver) {
      await db.query('select 1');
      await clock.advance(500);
    }
    return promise;
  }

  return { asked, told, rest, clock, backfill, stop: () => end.abort() };
}

function day(url: string): FetchResult {
  const answer = {
    url,
    status: 200,
    contentType: 'application/json',
    observedAt: NOON,
    text: JSON.stringify(envelope([aheadRow('MERD')])),
  };
  return { kind: 'response', response: answer };
}

describe('a back-fill', () => {
  it('asks for each weekday once, the newest first, and counts what came', async () => {
    const { asked, backfill } = gatherer(day);
    const { wanted, progress } = await backfill('2026-11-05', '2026-11-11');
    expect(asked).toEqual(['2026-11-11', '2026-11-10', '2026-11-09', '2026-11-06', '2026-11-05']);
    expect(wanted).toBe(5);
    expect(progress).toMatchObject({ open: 0, ingested: 5, rows: 5 });
  });

  it('skips what is done when asked again, unless told otherwise', async () => {
    const { asked, backfill } = gatherer(day);
    await backfill('2026-11-05', '2026-11-06');
    expect((await backfill('2026-11-04', '2026-11-06')).wanted).toBe(1);
    expect(asked).toEqual(['2026-11-06', '2026-11-05', '2026-11-04']);
    expect((await backfill('2026-11-05', '2026-11-06', true)).wanted).toBe(2);
    expect(asked).toHaveLength(5);
  });

  it('asks again for a day that was not over when it was asked for', async () => {
    const { asked, backfill } = gatherer(day);
    await backfill('2026-11-19', '2026-11-19');
    expect((await backfill('2026-11-19', '2026-11-19')).wanted).toBe(1);
    expect(asked).toEqual(['2026-11-19', '2026-11-19']);
  });

  it('stopped in the midst goes on where it was', async () => {
    const first = gatherer((url) => {
      if (url.includes('2026-11-09')) queueMicrotask(first.stop);
      return url.includes('2026-11-09') ? 'hang' : day(url);
    });
    const { progress } = await first.backfill('2026-11-05', '2026-11-11');
    expect(progress).toMatchObject({ open: 3, ingested: 2 });
    expect(await countOpenRequests(db)).toEqual([
      { provider: 'nasdaq', requests: 3, oldestDay: '2026-11-05' },
    ]);
    const second = gatherer(day);
    const resumed = await second.backfill('2026-11-05', '2026-11-11');
    expect(second.asked).toEqual(['2026-11-09', '2026-11-06', '2026-11-05']);
    expect(resumed.progress).toMatchObject({ open: 0, ingested: 3 });
  });

  it('gives up a request after three tries without an answer, and asks again when told again', async () => {
    const { asked, backfill } = gatherer((url) =>
      url.includes('2026-11-06')
        ? { kind: 'unavailable', reason: 'timeout', retryAt: 0 }
        : day(url),
    );
    const { progress } = await backfill('2026-11-05', '2026-11-06');
    expect(progress).toMatchObject({ open: 0, ingested: 1, unavailable: 1 });
    expect(asked.filter((date) => date === '2026-11-06')).toHaveLength(3);
    expect((await backfill('2026-11-05', '2026-11-06')).wanted).toBe(1);
  });

  it('is left for later when the source wants a long rest, with what is open kept', async () => {
    const world = gatherer((url) => {
      world.rest.now = { reason: 'blocked', retryAt: world.clock.now() + 3_600_000 };
      return day(url);
    });
    const { progress } = await world.backfill('2026-11-05', '2026-11-11');
    expect(progress).toMatchObject({ open: 4, ingested: 1 });
    expect(world.asked).toEqual(['2026-11-11']);
  });

  it('is left for later when rest follows on rest without an answer', async () => {
    const world = gatherer(day);
    const again = world.clock.setTimer.bind(world.clock);
    world.rest.now = { reason: 'blocked', retryAt: NOON + 60_000 };
    again(60_000, () => (world.rest.now = { reason: 'blocked', retryAt: NOON + 180_000 }));
    again(180_000, () => (world.rest.now = { reason: 'blocked', retryAt: NOON + 400_000 }));
    again(400_000, () => (world.rest.now = { reason: 'blocked', retryAt: NOON + 900_000 }));
    const { progress } = await world.backfill('2026-11-05', '2026-11-05');
    expect(progress).toMatchObject({ open: 1 });
    expect(world.clock.now()).toBeLessThan(NOON + 600_000);
  });

  it('is left to whoever gathers already', async () => {
    await db.query(
      `insert into ingest_lease (name, token, beat, holder) values ('nasdaq', 1, 0, $1)`,
      [processName()],
    );
    const { asked, told, backfill } = gatherer(day);
    const running = backfill('2026-11-10', '2026-11-10');
    // The holder makes it.
    while (told.length === 0) await db.query('select 1');
    const wanted = await nextRequest(db, 'nasdaq', false);
    if (wanted !== null) {
      await finishRequest(db, wanted, { outcome: 'ingested', rows: 7, now: NOON });
    }
    expect((await running).progress).toMatchObject({ open: 0, ingested: 1, rows: 7 });
    expect(asked).toEqual([]);
    expect(told).toContain(processName());
  });

  it('is not waited for when whoever gathers gets no further', async () => {
    await db.query(
      `insert into ingest_lease (name, token, beat, holder) values ('nasdaq', 1, 0, $1)`,
      [processName()],
    );
    // The holder lives, and gives signs of it.
    const { clock, backfill } = gatherer(day);
    const beating = { isOver: false };
    const beats = (async () => {
      while (!beating.isOver) await db.query('update ingest_lease set beat = beat + 1');
    })();
    const { progress } = await backfill('2026-11-10', '2026-11-10');
    beating.isOver = true;
    await beats;
    expect(progress.open).toBe(1);
    expect(clock.now()).toBeGreaterThan(NOON + 20 * 60_000);
  });
});
