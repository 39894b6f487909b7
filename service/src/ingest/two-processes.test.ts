import { afterAll, describe, expect, it } from 'vitest';
import { countingDb } from '../../test/support/counting-db.ts';
import { postgresStore } from '../../test/support/stores.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { parseInstant } from '../platform/instant.ts';
import { memoryLog } from '../../test/support/logs.ts';
import type { FetchResult } from '../platform/source-client.ts';
import { seededRandom } from '../platform/random.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { createIngest } from './ingest.ts';
import { createLiveFeeds } from './live-feeds.ts';
import { liveDeps } from './start-live.ts';

/** Five minutes before noon in New York, in earnings season, when jobs run at 12:00 and 12:30. */
const START = parseInstant('2026-11-19T16:55:00Z') ?? 0;
const MINUTES = 60_000;

/** The earnings calendar for one day. */
const provider = oneFeed();

function oneFeed(): Provider {
  const nasdaq = providers.find(({ name }) => name === 'nasdaq') as Provider;
  const feeds = nasdaq.feeds.filter(({ name }) => name === 'calendar-earnings');
  return {
    ...nasdaq,
    feeds: feeds.map((feed) => ({
      ...feed,
      plan: (context) =>
        (feed.plan?.(context) ?? []).filter(({ url }) => url.endsWith('2026-11-19')),
    })),
  };
}

/** Creates a process that ingests, with its own clock. */
function ingester(db: Db, seed: number) {
  const clock = fakeClock(START);
  const log = memoryLog();
  const requestedAt: number[] = [];
  const source = {
    cooldown: () => null,
    fetch: ({ url }: { url: string }): Promise<FetchResult> => {
      requestedAt.push(clock.now());
      const text = JSON.stringify({ data: { rows: [] }, message: null, status: { rCode: 200 } });
      const response = { url, status: 200, contentType: '', observedAt: clock.now(), text };
      return Promise.resolve({ kind: 'response', response });
    },
  };
  const options = {
    db,
    clock,
    providers: [provider],
    log,
    random: {
      ...seededRandom(seed),
      int: () => 0,
    },
    setting: () => undefined,
    ingest: createIngest({
      db,
      clock,
      providers: [provider],
      onCommit: () => undefined,
    }),
  };
  const client = { source: () => source, close: () => Promise.resolve() };
  const live = createLiveFeeds(liveDeps(options, client));
  live.start();
  const loggedMessages = (): string[] =>
    log.entries.filter(({ level }) => level === 'info').map(({ message }) => message);
  return { clock, askedAt: requestedAt, live, said: loggedMessages };
}

/**
 * Returns whole minutes since the start, since the store takes a few seconds on the fake clock to
 * respond.
 */
function minutesOf(times: readonly number[]): number[] {
  return times.map((at) => Math.floor((at - START) / MINUTES));
}

describe('two ingestion processes on one PostgreSQL server', async () => {
  const server = await postgresStore();
  if ('missing' in server) {
    it('skips the test with two processes if no PostgreSQL server is available', ({ skip }) =>
      skip(server.missing));
    return;
  }
  const { db, isBusy } = countingDb(server.db);
  afterAll(() => db.close());

  it('runs each job once, and lets the surviving process take over when the other process is killed', async () => {
    const world = [ingester(db, 1), ingester(db, 2)] as const;
    async function advance(
      awake: readonly (typeof world)[number][],
      durationMs: number,
    ): Promise<void> {
      for (let passed = 0; passed < durationMs; passed += 2000) {
        for (const { clock } of awake) await clock.advance(2000);
        // The clock stops while the store works.
        for (let idle = 0; idle < 5; idle++) {
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          if (isBusy()) idle = 0;
        }
      }
    }
    await advance(world, 10 * MINUTES);
    const [first, second] = world.toSorted((a, b) => b.askedAt.length - a.askedAt.length);
    if (first === undefined || second === undefined) throw new Error('two were made');
    // All three calendar jobs run at the start, followed by the run at noon. The other process is
    // on standby.
    const minutes = minutesOf(first.askedAt).map((minute) => (minute < 5 ? 'start' : minute));
    expect(minutes).toEqual(['start', 'start', 'start', 5]);
    expect(second.askedAt).toEqual([]);
    const onStandby = 'another process ingests, on standby';
    expect([first.said(), second.said()]).toEqual([[], [onStandby]]);
    // The first clock stops here: the process is dead.
    await advance([second], 30 * MINUTES);
    expect(minutesOf(second.askedAt)).toEqual([35]);
    const tookOver = 'ingestion taken over';
    expect(second.said()).toEqual([onStandby, tookOver]);
    const stopped = Promise.all(world.map(({ live }) => live.stop()));
    await advance(world, MINUTES);
    await stopped;
  });
});
