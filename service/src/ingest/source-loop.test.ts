import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  feedOf,
  UNDAMAGED,
  HOUR_MS,
  MINUTE_MS,
  NOON,
  providerOf,
  respondTo,
  scriptedLiveFeeds,
} from '../../test/support/scripted-live-feeds.ts';
import { addDays, localDate } from '../domain/local-date.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import type { Feed, Provider } from '../providers/provider.ts';
import { emptyReport } from './report.ts';

/** Returns a Nasdaq provider with the given feeds, each with the given number of URLs. */
function nasdaqOf(feeds: Record<string, number>): Provider {
  return providerOf(
    'nasdaq',
    Object.entries(feeds).map(([name, count]) =>
      feedOf(
        name,
        Array.from({ length: count }, (_, n) => `https://nasdaq.example/${name}/${n}`),
      ),
    ),
  );
}

/** Makes the wall clock of a test adjustable. */
function adjustableWallClock({ clock }: Pick<ReturnType<typeof scriptedLiveFeeds>, 'clock'>): {
  step(byMs: number): void;
} {
  const trueNow = clock.now;
  let aheadMs = 0;
  clock.now = () => trueNow() + aheadMs;
  return { step: (byMs) => void (aheadMs += byMs) };
}

describe('the loop for one source', () => {
  const namesOf = (requests: readonly { url: string }[]): string[] =>
    requests.map(({ url }) => url.replace('https://nasdaq.example/', ''));

  it('is healthy while its source fails, and failing after 30 seconds without the store', async () => {
    const world = scriptedLiveFeeds([nasdaqOf({ screener: 3 })], () => ({
      kind: 'unavailable',
      reason: 'timeout',
      retryAt: 0,
    }));
    const failing = () => world.loops.states().flatMap((loop) => (loop.isFailing ? [loop] : []));
    world.live.start();
    await world.clock.advance(HOUR_MS);
    expect(world.requests.length).toBeGreaterThan(0);
    expect(failing()).toEqual([]);
    const { nextRequest } = world.memory.jobs;
    world.memory.jobs.nextRequest = () => Promise.reject(new Error('no table'));
    await world.clock.advance(MINUTE_MS);
    expect(failing()).toMatchObject([{ name: 'fetch nasdaq', lastError: 'no table' }]);
    expect(world.loops.areRequiredHealthy()).toBe(false);
    world.memory.jobs.nextRequest = nextRequest;
    await world.clock.advance(5 * MINUTE_MS);
    expect(world.loops.areRequiredHealthy()).toBe(true);
    await world.live.stop();
  });

  it('runs prompt jobs first, then the most recently due, and makes up for missed runs only once', async () => {
    const feeds = { screener: 1, 'calendar-dividends': 1, 'quote-dividends': 1, 'ipo-calendar': 1 };
    const world = scriptedLiveFeeds([nasdaqOf(feeds)], respondTo);
    const ids = ['calendar-dividends/sweep', 'ipo-calendar/sweep', 'quote-dividends/turn'];
    for (const id of [...ids, 'screener/close']) {
      await world.memory.jobs.saveProgress(`nasdaq/${id}`, NOON - 12 * DAY_MS);
    }
    world.live.start();
    await world.clock.advance(HOUR_MS);
    // The jobs were due yesterday evening, and today at 08:30, 03:10 and 03:40.
    expect(namesOf(world.requests)).toEqual([
      'screener/0',
      'ipo-calendar/0',
      'calendar-dividends/0',
      'quote-dividends/0',
    ]);
    await world.live.stop();
  });

  it('pauses a long job while a more urgent one is due, and then continues it', async () => {
    const provider = nasdaqOf({ historical: 1000, 'calendar-earnings': 1 });
    const world = scriptedLiveFeeds([provider], async (url) => {
      await world.clock.sleep(3000);
      return respondTo(url);
    });
    const times = ['sweep', 'near', 'results'].map((name) => `nasdaq/calendar-earnings/${name}`);
    for (const id of times) await world.memory.jobs.saveProgress(id, NOON);
    world.live.start();
    await world.clock.advance(55 * MINUTE_MS);
    const names = namesOf(world.requests);
    // The calendar is due at half past.
    const index = names.indexOf('calendar-earnings/0');
    expect(index).toBe(600);
    expect(names.filter((name) => name.startsWith('historical'))).toEqual(
      Array.from({ length: 1000 }, (_, n) => `historical/${n}`),
    );
    await world.live.stop();
  });

  it('continues a job that was cut short without repeating what it has', async () => {
    const world = scriptedLiveFeeds([nasdaqOf({ historical: 10 })], (url) => {
      if (world.requests.length !== 5) return respondTo(url);
      const retryAt = world.clock.now() + HOUR_MS;
      return { kind: 'unavailable', reason: 'blocked', retryAt };
    });
    world.live.start();
    await world.clock.advance(HOUR_MS);
    const numbers = [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9];
    expect(namesOf(world.requests)).toEqual(numbers.map((n) => `historical/${n}`));
    await world.live.stop();
  });

  it("runs an operator's request while a long job is running", async () => {
    const world = scriptedLiveFeeds([nasdaqOf({ 'quote-dividends': 40 })], async (url) => {
      await world.clock.sleep(3000);
      return respondTo(url);
    });
    world.live.start();
    await world.clock.advance(31_000);
    const queued = { provider: 'nasdaq', feed: 'quote-dividends', day: localDate('2026-11-19') };
    const url = 'https://nasdaq.example/quote-dividends/39';
    world.memory.open.push({ ...queued, url, urgent: true });
    await world.clock.advance(15_000);
    expect(world.memory.finished).toEqual([{ url, outcome: 'ingested' }]);
    expect(world.requests.length).toBeLessThan(20);
    const stopped = world.live.stop();
    await world.clock.advance(MINUTE_MS);
    await stopped;
  });

  it('retries a job a quarter of an hour after repeated unusable responses, and then after twice that', async () => {
    const world = scriptedLiveFeeds([nasdaqOf({ 'calendar-dividends': 40 })], respondTo);
    const rejected = emptyReport('dividends', 'rejected', 'not-json');
    world.verdict.report = {
      ...UNDAMAGED,
      datasets: [rejected],
      isDamaged: true,
      rejectedAs: 'damaged',
    };
    world.live.start();
    await world.clock.advance(14 * MINUTE_MS);
    expect(world.requests).toHaveLength(3);
    await world.clock.advance(2 * MINUTE_MS);
    expect(world.requests).toHaveLength(6);
    // A missing page does not indicate a problem with the source.
    world.verdict.report = { ...UNDAMAGED, datasets: [rejected], rejectedAs: 'not-found' };
    await world.clock.advance(30 * MINUTE_MS);
    expect(world.requests).toHaveLength(46);
    await world.live.stop();
  });

  it('backfills at most thirty missed days after a long absence, newest first', async () => {
    const calendar: Feed = {
      ...feedOf('calendar-earnings', []),
      plan: ({ today }) => [{ url: `https://nasdaq.example/c?date=${today}`, headers: {} }],
    };
    const world = scriptedLiveFeeds([providerOf('nasdaq', [calendar])], respondTo);
    await world.memory.jobs.saveProgress('nasdaq/calendar-earnings/results', NOON - 90 * DAY_MS);
    world.live.start();
    await world.clock.advance(MINUTE_MS);
    const days = world.memory.finished.map(({ url }) => url.slice(-10));
    expect(days).toHaveLength(30);
    // The job's own date range covers the last five days.
    expect([days[0], days.at(-1)]).toEqual(['2026-11-13', '2026-10-05']);
    expect(days).toEqual(days.toSorted().toReversed());
    await world.live.stop();
  });

  it('backfills days that were missed because the source failed, without a restart', async () => {
    const calendar: Feed = {
      ...feedOf('calendar-earnings', []),
      plan: ({ today }) =>
        [-5, -4, -3, -2, -1, 0].map((days) => ({
          url: `https://nasdaq.example/c?date=${addDays(today, days)}`,
          headers: {},
        })),
    };
    const network = { isSilent: false };
    const world = scriptedLiveFeeds([providerOf('nasdaq', [calendar])], (url) =>
      network.isSilent
        ? { kind: 'unavailable', reason: 'timeout', retryAt: world.clock.now() }
        : respondTo(url),
    );
    const wall = adjustableWallClock(world);
    world.live.start();
    await world.clock.advance(MINUTE_MS);
    network.isSilent = true;
    wall.step(8 * DAY_MS);
    await world.clock.advance(HOUR_MS);
    network.isSilent = false;
    const before = world.responses.length;
    await world.clock.advance(HOUR_MS);
    const days = new Set(world.responses.slice(before).map(({ url }) => url.slice(-10)));
    const missed = marketCalendar().tradingDays(localDate('2026-11-19'), localDate('2026-11-27'));
    expect(missed.filter((day) => !days.has(day))).toEqual([]);
    await world.live.stop();
  });

  it('returns to the job schedule after a clock that was a day ahead is corrected', async () => {
    const provider = nasdaqOf({ 'ipo-calendar': 1 });
    const world = scriptedLiveFeeds([provider], respondTo);
    const wall = adjustableWallClock(world);
    wall.step(26 * HOUR_MS);
    world.live.start();
    await world.clock.advance(MINUTE_MS);
    wall.step(-26 * HOUR_MS);
    const before = world.requests.length;
    // The time is now 18:30 on the actual day.
    await world.clock.advance(8 * HOUR_MS);
    expect(world.requests.length).toBeGreaterThan(before);
    await world.live.stop();
  });
});
