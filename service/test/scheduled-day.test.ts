import { describe, expect, it } from 'vitest';
import { WELL_KNOWN_EVENTS } from '../src/datasets/economic-events/well-known-events.ts';
import { localDate } from '../src/domain/local-date.ts';
import { jobsOf } from '../src/ingest/jobs.ts';
import { parseInstant } from '../src/platform/instant.ts';
import type { Provider } from '../src/providers/provider.ts';
import { providers } from '../src/providers/registry.gen.ts';
import { fakeClock } from './support/fake-clock.ts';
import { edgarHost } from './support/hosts/edgar-host.ts';
import { agencyHosts } from './support/hosts/government-hosts.ts';
import { keyedHosts } from './support/hosts/keyed-hosts.ts';
import { liveWorld } from './support/hosts/live-world.ts';
import { nasdaqHost } from './support/hosts/nasdaq-host.ts';
import type { HostRequest } from './support/hosts/scripted-host.ts';
import { yahooHost } from './support/hosts/yahoo-host.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Noon in New York on a Wednesday in earnings season. */
const NOON = parseInstant('2026-11-18T17:00:00Z') ?? 0;

/** Ten thousand symbols in alphabetical order; every hundredth one is a share class. */
const SYMBOLS = Array.from({ length: 10_000 }, (_, n) => {
  const letters = [n % 26, Math.floor(n / 26) % 26, Math.floor(n / 676)];
  const root = letters.map((letter) => String.fromCharCode(65 + letter)).join('');
  return n % 100 === 0 ? `${root}.B` : root;
}).toSorted();
/** The companies of the busiest week of a season, and those whose results are pending. */
const REPORTERS = SYMBOLS.filter((_, n) => n % 9 === 0);
const AWAITING = REPORTERS.slice(0, 400);
const SOON = REPORTERS.slice(-400);

function liveProviders(names: readonly string[]): Provider[] {
  return providers.filter(({ name }) => names.includes(name));
}

/** Runs a world in which every job was just done, so that nothing is made up for. */
async function runSettled(
  options: Omit<Parameters<typeof liveWorld>[0], 'startAt' | 'symbols'>,
  durationMs: number,
) {
  const world = liveWorld({ ...options, startAt: NOON, symbols: SYMBOLS });
  for (const { id } of jobsOf(options.providers)) await world.memory.jobs.saveProgress(id, NOON);
  world.live.start();
  await world.clock.advance(durationMs);
  await world.live.stop();
  return world;
}

function countMax(requests: readonly HostRequest[], windowMs: number): number {
  const times = requests.map(({ atMs }) => atMs);
  let first = 0;
  return Math.max(
    ...times.map((at, index) => {
      while ((times[first] ?? 0) <= at - windowMs) first++;
      return index - first + 1;
    }),
  );
}

describe('a trading day of the scheduler with ten thousand symbols', () => {
  it('makes every request to Nasdaq and Yahoo within their rules, the urgent ones on time', async () => {
    const hosts = [nasdaqHost(), yahooHost({ crumbUsesMax: 500 })];
    const world = await runSettled(
      {
        providers: liveProviders(['nasdaq', 'yahoo']),
        hosts,
        reporters: REPORTERS,
        awaitingResult: AWAITING,
        reportingSoon: SOON,
      },
      // Until the evening of the next day, when the requests of the first one must be done.
      DAY_MS + 8 * HOUR_MS,
    );
    const [nasdaq, yahoo] = hosts.map(({ requests }) => requests);
    expect(hosts[0]?.violations).toEqual([]);
    // The only refusals are those of crumbs that expired.
    expect(hosts[1]?.violations).toEqual([]);
    expect(world.refusals).toEqual([]);
    const pathsOf = (pattern: RegExp) =>
      new Set(nasdaq?.map(({ path }) => path).filter((path) => pattern.test(path)));
    expect(pathsOf(/\/earnings-surprise$/).size).toBe(AWAITING.length);
    for (const page of [/\/earnings-date$/, /\/earnings-forecast$/]) {
      expect(pathsOf(page).size).toBeGreaterThanOrEqual(100);
    }
    expect(pathsOf(/\/historical\?/).size).toBe(REPORTERS.length);
    expect(pathsOf(/\/quote\/[^/]+\/dividends\?/).size).toBe(Math.ceil(SYMBOLS.length / 24));
    expect(countMax(nasdaq ?? [], HOUR_MS)).toBeLessThanOrEqual(220);
    expect(countMax(yahoo ?? [], HOUR_MS)).toBeLessThanOrEqual(300);
    // Today's calendar is requested every half hour until 20:00, whatever else is going on.
    const today = nasdaq?.filter(({ path }) => path.endsWith('earnings?date=2026-11-18')) ?? [];
    const halfHours = today
      .map(({ atMs }) => atMs)
      .filter((atMs) => atMs <= 8 * HOUR_MS + MINUTE_MS);
    expect(halfHours.length).toBeGreaterThanOrEqual(16);
    for (const atMs of halfHours) expect(atMs % (30 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
  });

  it('stays within the rules of all other sources', async () => {
    const hosts = [edgarHost(fakeClock(0)), ...agencyHosts(), ...keyedHosts()];
    const names = ['sec', 'us-agencies', 'finnhub', 'fmp', 'massive', 'alphavantage'];
    const world = await runSettled(
      {
        providers: liveProviders(names),
        hosts,
        reporters: REPORTERS.slice(0, 100),
        awaitingResult: AWAITING.slice(0, 100),
        awaitedFigures: WELL_KNOWN_EVENTS.map(({ stem }) => {
          return { stem, date: localDate('2026-11-18'), provider: null };
        }),
      },
      DAY_MS,
    );
    expect(hosts.flatMap(({ violations }) => violations)).toEqual([]);
    expect(world.refusals).toEqual([]);
    expect(hosts.flatMap(({ names, requests }) => (requests.length > 0 ? [] : [names]))).toEqual(
      [],
    );
  });

  it('requests figures in the minute of their release, and again while they are missing', async () => {
    const startAt = parseInstant('2026-11-19T13:29:00Z') ?? 0;
    const hosts = agencyHosts();
    const feeds = liveProviders(['us-agencies']);
    const stems = ['us-cpi-yoy', 'us-core-cpi-mom', 'us-initial-jobless-claims', 'us-pce-mom'];
    const awaitedFigures = stems.map((stem) => {
      return { stem, date: localDate('2026-11-19'), provider: null };
    });
    const world = liveWorld({ providers: feeds, hosts, startAt, symbols: [], awaitedFigures });
    for (const { id } of jobsOf(feeds)) await world.memory.jobs.saveProgress(id, startAt);
    world.live.start();
    await world.clock.advance(4 * MINUTE_MS);
    await world.live.stop();
    const requests = hosts.flatMap((host) => host.requests);
    const minutesOf = (pattern: RegExp): number[] =>
      requests
        .filter(({ url }) => pattern.test(url.href))
        .map(({ atMs }) => Math.floor(atMs / MINUTE_MS));
    expect(minutesOf(/api\.bls\.gov/)).toEqual([1, 2, 3]);
    expect(minutesOf(/www\.dol\.gov/)).toEqual([1, 2, 3]);
    expect(minutesOf(/T20804/)[0]).toBe(1);
    expect(minutesOf(/treasurydirect|federalreserve|ir\.eia/)).toEqual([]);
  });

  it('requests the dividends of every symbol within four weeks, though the service is down for two nights', async () => {
    const nasdaq = nasdaqHost();
    const feeds = liveProviders(['nasdaq']).map((provider) => ({
      ...provider,
      feeds: provider.feeds.filter(({ name }) => name === 'quote-dividends'),
    }));
    const world = liveWorld({ providers: feeds, hosts: [nasdaq], startAt: NOON, symbols: SYMBOLS });
    world.live.start();
    await world.clock.advance(10 * DAY_MS);
    await world.live.stop();
    await world.clock.advance(2 * DAY_MS);
    const restarted = world.restart();
    restarted.start();
    await world.clock.advance(16 * DAY_MS);
    await restarted.stop();
    const symbols = new Set(nasdaq.requests.map(({ path }) => path.split('/')[3]));
    expect(symbols.size).toBe(SYMBOLS.length);
    expect(nasdaq.requests.length).toBeLessThan(1.15 * SYMBOLS.length);
    expect(nasdaq.violations).toEqual([]);
  });
});
