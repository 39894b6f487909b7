import { providers } from '../../src/providers/registry.gen.ts';
import { marketCalendar } from '../../src/domain/market/calendar.ts';
import { newYorkDate } from '../../src/domain/new-york.ts';
import { createLiveFeeds } from '../../src/ingest/live-feeds.ts';
import type { ResponseReport } from '../../src/ingest/report.ts';
import { fakeClock } from './fake-clock.ts';
import { LoopHealth } from '../../src/platform/loop-health.ts';
import { parseInstant } from '../../src/platform/instant.ts';
import type { FetchResult } from '../../src/platform/source-client.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { SourceResponse, Feed, PlanContext, Provider } from '../../src/providers/provider.ts';
import { uncontestedLease, memoryJobStore } from './memory-job-store.ts';
import { silentLog } from './logs.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Noon in New York on a Thursday. */
export const NOON = parseInstant('2026-11-19T17:00:00Z') ?? 0;

export function feedOf(name: string, urls: readonly string[] | (() => never)): Feed {
  return {
    name,
    datasets: ['earnings'],
    claims: () => true,
    parse: () => ({ rows: [], bad: [] }),
    plan: () =>
      typeof urls === 'function' ? urls() : urls.map((url) => ({ url, headers: { from: 'x' } })),
  };
}

/** Returns a provider. A feed named like one of the real provider has its schedule. */
export function providerOf(
  name: string,
  feeds: readonly Feed[],
  more: Partial<Provider> = {},
): Provider {
  return {
    name,
    title: name,
    provides: 'stub data',
    homepage: '',
    redistribution: 'allowed',
    terms: '',
    hosts: [`${name}.example`],
    limits: { intervalMsMin: 0, timeoutMs: 1, bodyBytesMax: 1, cooldownMs: 1 },
    settings: [],
    feeds: feeds.map((feed) => ({ ...scheduleOf(name, feed), ...feed })),
    ...more,
  };
}

function scheduleOf(provider: string, { name }: Feed): Pick<Feed, 'schedule'> {
  const real = providers.find((candidate) => candidate.name === provider);
  const schedule = real?.feeds.find((feed) => feed.name === name)?.schedule;
  return schedule === undefined ? {} : { schedule };
}

export const UNDAMAGED: ResponseReport = {
  provider: 'a',
  feed: 'list',
  datasets: [],
  isDamaged: false,
};

export type Reply = (url: string) => Promise<FetchResult> | FetchResult;

/** Creates live feeds with all their dependencies and scripted responses. */
export function scriptedLiveFeeds(sources: readonly Provider[], reply: Reply, startAt = NOON) {
  const clock = fakeClock(startAt);
  const loops = new LoopHealth(clock);
  const memory = memoryJobStore();
  const requests: { at: number; url: string }[] = [];
  const responses: SourceResponse[] = [];
  const faults = { store: false };
  const verdict = { report: UNDAMAGED };
  const deps = {
    providers: sources,
    clock,
    loops,
    jobs: memory.jobs,
    market: () => Promise.resolve(marketCalendar()),
    withLease: uncontestedLease,
    setting: () => undefined,
    log: silentLog,
    random: { ...seededRandom(1), int: () => 0 },
    client: {
      source: () => ({
        cooldown: () => null,
        fetch: async (request: { url: string; signal?: AbortSignal }) => {
          requests.push({ at: clock.now(), url: request.url });
          return reply(request.url);
        },
      }),
      close: () => Promise.resolve(),
    },
    ingest: (response: SourceResponse) => {
      if (faults.store) return Promise.reject(new Error('store unavailable'));
      responses.push(response);
      return Promise.resolve(verdict.report);
    },
    planContext: (): Promise<PlanContext> =>
      Promise.resolve({
        now: clock.now(),
        today: newYorkDate(clock.now()),
        symbols: [],
        ciks: new Map(),
        setting: () => undefined,
      }),
  };
  const live = createLiveFeeds(deps);
  return {
    live,
    clock,
    loops,
    requests,
    responses,
    memory,
    faults,
    verdict,
    restart: () => createLiveFeeds(deps),
  };
}

export function respondTo(url: string): FetchResult {
  const response = { url, status: 200, contentType: '', observedAt: 1, text: 'body' };
  return { kind: 'response', response };
}
