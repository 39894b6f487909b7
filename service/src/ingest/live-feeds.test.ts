import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  feedOf,
  HOUR_MS,
  MINUTE_MS,
  NOON,
  providerOf,
  type Reply,
  respondTo,
  scriptedLiveFeeds,
} from '../../test/support/scripted-live-feeds.ts';
import { localDate } from '../domain/local-date.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import type { PlanContext, Provider } from '../providers/provider.ts';
import { jobsOf } from './jobs.ts';
import { plannedRequests } from './planned-requests.ts';

const A = 'https://a.example/1';
const B = 'https://b.example/1';

describe('live feeds', () => {
  it('sends requests at the start and on schedule, and ingests each response', async () => {
    const { live, clock, requests, responses } = scriptedLiveFeeds(
      [providerOf('a', [feedOf('list', [A])])],
      respondTo,
    );
    live.start();
    await clock.advance(MINUTE_MS);
    expect(requests).toEqual([{ at: NOON, url: A }]);
    expect(responses.map((response) => [response.host, response.text])).toEqual([
      ['a.example', 'body'],
    ]);
    // The job runs nightly at 03:00 in New York.
    await clock.advance(2 * DAY_MS);
    expect(requests.map((request) => request.at - NOON)).toEqual([0, 15 * HOUR_MS, 39 * HOUR_MS]);
    await live.stop();
  });

  it('makes up for missed runs once after a restart', async () => {
    const providers = [providerOf('a', [feedOf('list', [A])])];
    const { live, clock, requests, restart } = scriptedLiveFeeds(providers, respondTo);
    live.start();
    await clock.advance(HOUR_MS);
    await live.stop();
    const second = restart();
    second.start();
    await clock.advance(HOUR_MS);
    expect(requests).toHaveLength(1);
    await second.stop();
    await clock.advance(5 * DAY_MS);
    const third = restart();
    third.start();
    await clock.advance(MINUTE_MS);
    expect(requests).toHaveLength(2);
    await third.stop();
  });

  it('continues with one provider while another provider fails', async () => {
    const broken = providerOf('b', [
      feedOf('list', [B]),
      feedOf('sick', () => {
        throw new Error('no contact set');
      }),
    ]);
    const reply: Reply = (url) => {
      if (url === B) throw new Error('broken rule');
      return respondTo(url);
    };
    const { live, clock, requests, responses } = scriptedLiveFeeds(
      [broken, providerOf('a', [feedOf('list', [A])])],
      reply,
    );
    live.start();
    await clock.advance(DAY_MS);
    expect(responses.map((response) => response.url)).toEqual([A, A]);
    // A failed run is retried after a quarter of an hour.
    const tries = requests
      .filter((request) => request.url === B)
      .map((request) => request.at - NOON);
    expect(tries.slice(0, 3)).toEqual([0, 15 * MINUTE_MS, 30 * MINUTE_MS]);
    await live.stop();
  });

  it('never sends two requests to one source at a time', async () => {
    let running = 0;
    let most = 0;
    const calendar = feedOf(
      'calendar-earnings',
      [1, 2, 3].map((n) => `https://nasdaq.example/${n}`),
    );
    const world = scriptedLiveFeeds(
      [providerOf('nasdaq', [calendar, feedOf('screener', ['https://nasdaq.example/s'])])],
      async (url) => {
        most = Math.max(most, ++running);
        await world.clock.sleep(20 * MINUTE_MS);
        running--;
        return respondTo(url);
      },
    );
    world.live.start();
    await world.clock.advance(DAY_MS);
    expect(most).toBe(1);
    expect(world.requests.length).toBeGreaterThan(20);
    const stopped = world.live.stop();
    await world.clock.advance(DAY_MS);
    await stopped;
  });

  it('waits out a cooldown and then continues', async () => {
    const urls = [1, 2, 3].map((n) => `https://a.example/${n}`);
    let refusals = 1;
    const world = scriptedLiveFeeds([providerOf('a', [feedOf('list', urls)])], (url) => {
      if (url.endsWith('2') && refusals-- > 0) {
        const retryAt = world.clock.now() + 10 * MINUTE_MS;
        return { kind: 'unavailable', reason: 'rate-limited', retryAt };
      }
      return respondTo(url);
    });
    world.live.start();
    await world.clock.advance(9 * MINUTE_MS);
    expect(world.responses).toHaveLength(1);
    await world.clock.advance(MINUTE_MS);
    expect(world.responses.map((response) => response.url)).toEqual(urls);
    await world.live.stop();
  });

  it('skips a failed request and finishes the run', async () => {
    const urls = [1, 2, 3].map((n) => `https://a.example/${n}`);
    const world = scriptedLiveFeeds([providerOf('a', [feedOf('list', urls)])], (url) =>
      url.endsWith('2') ? { kind: 'unavailable', reason: 'too-large', retryAt: 0 } : respondTo(url),
    );
    world.live.start();
    await world.clock.advance(2 * HOUR_MS);
    expect(world.requests).toHaveLength(3);
    expect(world.responses).toHaveLength(2);
    await world.live.stop();
  });

  it('retries when the store fails, and does not record the run as done', async () => {
    const world = scriptedLiveFeeds([providerOf('a', [feedOf('list', [A])])], respondTo);
    world.faults.store = true;
    world.live.start();
    await world.clock.advance(MINUTE_MS);
    expect(await world.memory.jobs.loadProgress('a/list/nightly')).toBeNull();
    world.faults.store = false;
    await world.clock.advance(15 * MINUTE_MS);
    expect(world.responses).toHaveLength(1);
    expect(await world.memory.jobs.loadProgress('a/list/nightly')).toBe(NOON + 15 * MINUTE_MS);
    await world.live.stop();
  });

  it('stops live feeds while they are waiting, and starts them only once', async () => {
    const world = scriptedLiveFeeds([providerOf('a', [feedOf('list', [A])])], respondTo);
    world.live.start();
    expect(() => world.live.start()).toThrow(/already running/);
    await world.clock.advance(MINUTE_MS);
    await world.live.stop();
    await world.clock.advance(3 * DAY_MS);
    expect(world.requests).toHaveLength(1);
  });
});

describe('sources without a network', () => {
  function localProvider(calls: (number | null)[][]): Provider {
    return providerOf('toy', [], {
      *generateResponses(from, to) {
        calls.push([from, to]);
        const url = 'sandbox://market/x?at=1';
        yield createSourceResponse({ url, status: 200, contentType: '', observedAt: to, text: '' });
      },
    });
  }

  it('polls a source without a network every half minute, without gaps between periods', async () => {
    const calls: (number | null)[][] = [];
    const world = scriptedLiveFeeds([localProvider(calls)], respondTo);
    world.live.start();
    await world.clock.advance(MINUTE_MS);
    await world.live.firstFill();
    const step = MINUTE_MS / 2;
    expect(calls).toEqual([
      [null, NOON],
      [NOON, NOON + step],
      [NOON + step, NOON + 2 * step],
    ]);
    await world.live.stop();
    await world.clock.advance(DAY_MS);
    const second = world.restart();
    second.start();
    await world.clock.advance(0);
    expect(calls.at(-1)).toEqual([NOON + 2 * step, NOON + 2 * step + DAY_MS]);
    await second.stop();
  });

  it("fills the store with a source's current state before its history", async () => {
    const toy = providerOf('toy', [], {
      *generateResponses(_, to) {
        const past = Array.from({ length: 50 }, (_, i) => to - 100 + i);
        for (const observedAt of [to - 2, to, to, ...past]) {
          const url = 'sandbox://market/x?at=1';
          yield createSourceResponse({ url, status: 200, contentType: '', observedAt, text: '' });
        }
      },
    });
    const world = scriptedLiveFeeds([toy], respondTo);
    let takenWhenFilled = 0;
    const filled = world.live.firstFill().then(() => {
      takenWhenFilled = world.responses.length;
      return undefined;
    });
    world.live.start();
    await world.clock.advance(1);
    await filled;
    expect(takenWhenFilled).toBeGreaterThanOrEqual(3);
    expect(takenWhenFilled).toBeLessThan(30);
    expect(world.responses).toHaveLength(53);
    await world.live.stop();
  });

  it('does not refill the store after a restart if the current state is less than a day old', async () => {
    const world = scriptedLiveFeeds([localProvider([])], respondTo);
    world.live.start();
    await world.clock.advance(0);
    await world.live.stop();
    world.faults.store = true;
    await world.clock.advance(DAY_MS - 1);
    const soon = world.restart();
    soon.start();
    await soon.firstFill();
    await soon.stop();
    await world.clock.advance(1);
    const late = world.restart();
    let isFilled = false;
    void late.firstFill().then(() => (isFilled = true));
    late.start();
    await world.clock.advance(0);
    expect(isFilled).toBe(false);
    await late.stop();
  });

  it('polls for the same period with backoff while the store fails, and fills the store afterwards', async () => {
    const calls: (number | null)[][] = [];
    const world = scriptedLiveFeeds([localProvider(calls)], respondTo);
    world.faults.store = true;
    let isFilled = false;
    const filled = world.live.firstFill().then(() => {
      isFilled = true;
      return undefined;
    });
    world.live.start();
    await world.clock.advance(1.5 * MINUTE_MS - 1);
    expect(calls).toHaveLength(2);
    await world.clock.advance(1);
    expect([calls.length, isFilled]).toEqual([3, false]);
    world.faults.store = false;
    await world.clock.advance(2 * MINUTE_MS);
    await filled;
    expect(calls.map(([from]) => from)).toEqual([null, null, null, null]);
    await world.live.stop();
  });
});

describe('the requests for a job', () => {
  const context: PlanContext = {
    now: NOON,
    today: localDate('2026-11-19'),
    symbols: [],
    ciks: new Map(),
    setting: () => undefined,
  };

  it("includes requests for the job's days and requests without a day, without duplicates", () => {
    const urls = ['2026-11-18', '2026-11-19', '2026-11-22', '2026-11-23', '2026-11-19'].map(
      (date) => `https://nasdaq.example/c?date=${date}`,
    );
    const feed = feedOf('calendar-earnings', [...urls, 'https://nasdaq.example/all']);
    const nearJob = jobsOf([providerOf('nasdaq', [feed])]).find((job) => job.id.endsWith('/near'));
    if (nearJob === undefined) throw new Error('no such job');
    expect(plannedRequests(nearJob, feed, context).map(({ url }) => url)).toEqual([
      'https://nasdaq.example/c?date=2026-11-19',
      'https://nasdaq.example/c?date=2026-11-22',
      'https://nasdaq.example/all',
    ]);
  });

  it('schedules jobs only for feeds that plan requests', () => {
    const { plan: _, ...fileFeed } = feedOf('files', []);
    const jobs = jobsOf([
      providerOf('nasdaq', [feedOf('calendar-earnings', []), feedOf('other', []), fileFeed]),
    ]);
    expect(jobs.map((job) => job.id)).toEqual([
      'nasdaq/calendar-earnings/sweep',
      'nasdaq/calendar-earnings/near',
      'nasdaq/calendar-earnings/results',
      'nasdaq/other/nightly',
    ]);
  });
});
