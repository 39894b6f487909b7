import { expect, it } from 'vitest';
import { localDate } from '../src/domain/local-date.ts';
import { parseInstant } from '../src/platform/instant.ts';
import type { Provider } from '../src/providers/provider.ts';
import { providers } from '../src/providers/registry.gen.ts';
import { agencyHosts } from './support/hosts/government-hosts.ts';
import { liveWorld } from './support/hosts/live-world.ts';
import { nasdaqHost } from './support/hosts/nasdaq-host.ts';
import { pageReply, scriptedHost } from './support/hosts/scripted-host.ts';
import { yahooHost } from './support/hosts/yahoo-host.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Noon in New York on a Saturday. */
const NOON = parseInstant('2026-11-21T17:00:00Z') ?? 0;
const SYMBOLS = Array.from({ length: 60 }, (_, n) => `Q${String.fromCharCode(65 + (n % 26))}${n}`);

function providerWith(name: string, feed: string): Provider {
  const found = providers.find((provider) => provider.name === name);
  if (found === undefined) throw new Error(`no provider ${name}`);
  return { ...found, feeds: found.feeds.filter((candidate) => candidate.name === feed) };
}

it.each(['hang', 403, 429] as const)(
  'stops for a quarter of an hour and then for hours while Nasdaq refuses by %s, and continues where it stopped',
  async (whenBlocked) => {
    // A host that allows fewer requests than expected and blocks the client each time.
    const host = nasdaqHost({ whenBlocked, requestsMax: 20 });
    const nasdaq = providerWith('nasdaq', 'calendar-dividends');
    const world = liveWorld({ providers: [nasdaq], hosts: [host], startAt: NOON, symbols: [] });
    world.live.start();
    await world.clock.advance(15 * HOUR_MS);
    await world.live.stop();
    const served = host.requests.length - host.violations.length;
    const days = new Set(host.requests.map(({ path }) => path));
    // All 65 days were served, none of them twice.
    expect([served, days.size]).toEqual([65, 65]);
    const refusedAt = host.requests.flatMap(({ atMs }, i) => {
      const isBlocked = i > 0 && atMs - (host.requests[i - 1]?.atMs ?? 0) >= 14 * MINUTE_MS;
      return isBlocked ? [atMs] : [];
    });
    expect(refusedAt.length).toBeGreaterThan(2);
    expect(host.violations.length).toBeLessThanOrEqual(16);
  },
);

it('stays within the budget of a source though the process is restarted every ten minutes', async () => {
  // All jobs are due at once and need 138 requests.
  const nasdaq = providers
    .filter(({ name }) => name === 'nasdaq')
    .map((provider) => {
      const budget = { requests: 60, windowMs: HOUR_MS };
      return { ...provider, limits: { ...provider.limits, budget } };
    });
  const host = nasdaqHost({ requestsMax: 60 });
  const world = liveWorld({ providers: nasdaq, hosts: [host], startAt: NOON, symbols: [] });
  await runRestarting(world, 4 * HOUR_MS);
  expect(host.violations).toEqual([]);
  expect(host.requests.length).toBeGreaterThan(120);
  // One write covers several requests.
  expect(world.saves.length).toBeLessThan(host.requests.length / 2);
});

it.each(['hang', 403] as const)(
  'waits out a refusal by %s though the process is restarted every ten minutes',
  async (whenBlocked) => {
    const host = nasdaqHost({ whenBlocked, requestsMax: 20 });
    const nasdaq = providerWith('nasdaq', 'calendar-dividends');
    const world = liveWorld({ providers: [nasdaq], hosts: [host], startAt: NOON, symbols: [] });
    await runRestarting(world, 6 * HOUR_MS);
    const times = host.requests.map(({ atMs }) => atMs);
    const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    // A hang is a refusal once a second request hangs too.
    const attempts = whenBlocked === 'hang' ? 2 : 1;
    const longPauses = pauses.filter((pauseMs) => pauseMs >= 15 * MINUTE_MS);
    expect(longPauses.length).toBeGreaterThan(1);
    expect(host.violations.length).toBeLessThanOrEqual(attempts * (longPauses.length + 1));
  },
);

it('goes on with the other agencies while one of them refuses', async () => {
  const denied = pageReply(403, '<html>Access Denied</html>');
  const bls = scriptedHost({
    names: ['www.bls.gov'],
    limits: [],
    check: () => ({ reason: 'denied', refusal: denied }),
    serve: () => denied,
  });
  const others = agencyHosts();
  const world = liveWorld({
    providers: providers.filter(({ name }) => name === 'us-agencies'),
    hosts: [bls, ...others],
    startAt: NOON,
    symbols: [],
  });
  const queued = [
    ['bls-schedule', 'https://www.bls.gov/schedule/news_release/bls.ics'],
    ['bea-schedule', 'https://www.bea.gov/news/schedule/ics/online-calendar-subscription.ics'],
  ];
  for (const [feed = '', url = ''] of queued) {
    const day = localDate('2026-11-21');
    world.memory.open.push({ provider: 'us-agencies', feed, url, day, urgent: true });
  }
  world.live.start();
  await world.clock.advance(30 * MINUTE_MS);
  expect(world.live.cooldown('us-agencies')).toMatchObject({ reason: 'blocked' });
  await world.live.stop();
  expect(bls.requests).toHaveLength(1);
  const served = new Set(others.flatMap(({ requests }) => requests.map(({ url }) => url.host)));
  for (const host of ['www.bea.gov', 'www.census.gov', 'api.fiscaldata.treasury.gov']) {
    expect(served).toContain(host);
  }
  // The request that the refusal prevented stays in the queue.
  expect(world.memory.open.map(({ feed }) => feed)).toEqual(['bls-schedule']);
  expect(world.memory.finished).toHaveLength(1);
});

/** Runs a world whose process is replaced every ten minutes. */
async function runRestarting(world: ReturnType<typeof liveWorld>, durationMs: number) {
  let { live } = world;
  for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs += 10 * MINUTE_MS) {
    live.start();
    await world.clock.advance(10 * MINUTE_MS);
    await live.stop();
    live = world.restart();
  }
}

it('gets a new crumb when one expires, and no more often', async () => {
  const host = yahooHost({ crumbUsesMax: 25 });
  const yahoo = providerWith('yahoo', 'quote-summary');
  const world = liveWorld({
    providers: [yahoo],
    hosts: [host],
    startAt: NOON,
    symbols: SYMBOLS,
    reporters: SYMBOLS,
  });
  world.live.start();
  await world.clock.advance(3 * HOUR_MS);
  await world.live.stop();
  const crumbs = host.requests.filter(({ path }) => path === '/v1/test/getcrumb');
  const pages = host.requests.filter(({ path }) => path.includes('/quoteSummary/'));
  expect(new Set(pages.map(({ path }) => path.split('?')[0])).size).toBe(SYMBOLS.length);
  expect(crumbs).toHaveLength(Math.ceil((pages.length - 2) / 25));
  expect(host.violations).toEqual([]);
  expect(world.refusals).toEqual([]);
});

it.each([
  ['agree', 12],
  ['', 0],
])(
  'submits the consent form of Yahoo if the operator set YAHOO_CONSENT to %j',
  async (consent, pages) => {
    const host = yahooHost({ isInEurope: true });
    const symbols = SYMBOLS.slice(0, 12);
    const world = liveWorld({
      providers: [providerWith('yahoo', 'quote-summary')],
      hosts: [host],
      startAt: NOON,
      symbols,
      reporters: symbols,
      settings: { YAHOO_CONSENT: consent },
    });
    world.live.start();
    await world.clock.advance(20 * MINUTE_MS);
    await world.live.stop();
    const paths = host.requests.map(({ url }) => url.pathname);
    const summaries = paths.filter((path) => path.includes('/quoteSummary/'));
    expect(new Set(summaries).size).toBe(pages);
    const posts = host.requests.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(pages === 0 ? 0 : 1);
    expect(paths.includes('/consent')).toBe(pages > 0);
  },
);

it('is refused by Yahoo with the agent of a browser whose TLS handshake is another’s', async () => {
  const host = yahooHost();
  const url = new URL('https://query2.finance.yahoo.com/v8/finance/chart/MERD');
  const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
  const headers = new Map([['user-agent', agent]]);
  const request = { url, path: url.pathname, method: 'GET', headers, body: '', atMs: 0 };
  expect(host.respond(request)).toMatchObject({ status: 429 });
});
