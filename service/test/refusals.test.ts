import { expect, it } from 'vitest';
import { parseInstant } from '../src/platform/instant.ts';
import type { Provider } from '../src/providers/provider.ts';
import { providers } from '../src/providers/registry.gen.ts';
import { liveWorld } from './support/hosts/live-world.ts';
import { nasdaqHost } from './support/hosts/nasdaq-host.ts';
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
