import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { edgarHost } from '../../../test/support/hosts/edgar-host.ts';
import { agencyHosts } from '../../../test/support/hosts/government-hosts.ts';
import { keyedHosts, SOURCE_KEY } from '../../../test/support/hosts/keyed-hosts.ts';
import { nasdaqHost } from '../../../test/support/hosts/nasdaq-host.ts';
import type { ScriptedHost } from '../../../test/support/hosts/scripted-host.ts';
import { ScriptedNetwork } from '../../../test/support/hosts/scripted-network.ts';
import { yahooHost } from '../../../test/support/hosts/yahoo-host.ts';
import { redactingClient } from '../../ingest/redacting-client.ts';
import { createHttpClient, type HttpClient } from '../../platform/http-client.ts';
import { parseInstant } from '../../platform/instant.ts';
import { seededRandom } from '../../platform/random.ts';
import type { FetchResult } from '../../platform/source-client.ts';
import { providers } from '../../providers/registry.gen.ts';
import { checkSources } from './check-sources.ts';

const NOON = parseInstant('2026-11-19T17:00:00Z') ?? 0;
const HOUR_MS = 3_600_000;
const nasdaq = providers.filter(({ name }) => name === 'nasdaq');

describe('the check of a source', () => {
  function checkSource(result: FetchResult, aheadMs: number | null, isClockShifted = false) {
    const requested: string[] = [];
    const client: HttpClient = {
      source: () => ({
        cooldown: () => null,
        clockAheadMs: () => aheadMs,
        fetch: ({ url }) => Promise.resolve(requested.push(url)).then(() => result),
      }),
      close: () => Promise.resolve(),
    };
    const given = { client, clock: fakeClock(NOON), setting: () => undefined, isClockShifted };
    const checks = checkSources({ ...given, sources: nasdaq });
    return checks.then((results) => ({ requested, results }));
  }
  const unavailable = (reason: 'blocked' | 'timeout'): FetchResult => ({
    kind: 'unavailable',
    reason,
    retryAt: NOON,
  });
  const respond = (text: string): FetchResult => ({
    kind: 'response',
    response: {
      url: 'https://api.nasdaq.com/api/x',
      status: 200,
      contentType: '',
      observedAt: NOON,
      text,
    },
  });

  it('makes one request to a source and reports the result', async () => {
    const { requested, results } = await checkSource(unavailable('blocked'), null);
    expect(requested).toHaveLength(1);
    expect(results).toMatchObject([
      { state: 'broken', message: 'nasdaq: refused, blocked (calendar-earnings, after 0.0 s)' },
      { check: 'clock', state: 'skipped' },
    ]);
    expect((await checkSource(respond('<html>'), 0)).results[0]).toMatchObject({ state: 'broken' });
  });

  it.each([
    [0, 'ok'],
    [-29_000, 'ok'],
    [40_000, 'warning'],
    [-600_000, 'broken'],
  ])('reports a clock difference of %s ms as %s', async (aheadMs, state) => {
    const { results } = await checkSource(respond('{}'), aheadMs);
    expect(results.at(-1)).toMatchObject({ check: 'clock', state });
    const shifted = await checkSource(respond('{}'), aheadMs, true);
    expect(shifted.results.at(-1)).toMatchObject({ check: 'clock', state: 'skipped' });
  });
});

describe('one request to each source', () => {
  /** Makes one request to each source, in a world in which some of them refuse. */
  async function checkLive(hosts: readonly ScriptedHost[], contact = 'Jane Doe jane@example.org') {
    const clock = fakeClock(NOON);
    const sources = providers.filter(({ hosts: names }) =>
      names.some((name) => hosts.some((host) => host.names.includes(name))),
    );
    const setting = (name: string) => (name === 'SEC_CONTACT' ? contact : SOURCE_KEY);
    const dispatcher = new ScriptedNetwork(clock, hosts);
    const random = seededRandom(1);
    const plain = createHttpClient({ clock, random, dispatcher });
    const client = redactingClient(plain, { clock, providers: sources, setting });
    const checking = checkSources({ client, clock, sources, setting, isClockShifted: false });
    await clock.advance(HOUR_MS);
    const checks = await checking;
    return { checks, lines: checks.map(({ message, fix }) => `${message}; ${fix}`) };
  }

  it('makes one request to each source and reports that all of them work', async () => {
    const hosts = [nasdaqHost(), edgarHost(fakeClock(0)), ...agencyHosts(), ...keyedHosts()];
    const { checks, lines } = await checkLive(hosts);
    expect(lines.slice(0, -1).filter((line) => !/^[\w-]+: works \(|HTTP 404/.test(line))).toEqual(
      [],
    );
    expect(hosts.flatMap(({ violations }) => violations)).toEqual([]);
    expect(hosts.map(({ requests }) => requests.length)).toEqual([1, 1, 0, 1, 1, 1, 1, 1]);
    expect(JSON.stringify(checks)).not.toContain(SOURCE_KEY);
  });

  it('gets the cookie and the crumb of Yahoo before its request', async () => {
    const yahoo = yahooHost();
    await checkLive([yahoo]);
    const paths = yahoo.requests.map(({ url }) => url.pathname);
    expect(paths).toEqual(['/', '/v1/test/getcrumb', '/v10/finance/quoteSummary/AAPL']);
  });

  it.each([
    ['hang', 'nasdaq: no response (calendar-earnings, after 15.0 s)'],
    [403, 'nasdaq: refused, blocked (calendar-earnings, after 0.0 s)'],
    [429, 'nasdaq: refused, rate-limited (calendar-earnings, after 0.0 s)'],
  ] as const)(
    'reports a refusal by %s with the fix, after a single request',
    async (whenBlocked, message) => {
      const host = nasdaqHost({ whenBlocked, requestsMax: 0 });
      const { checks } = await checkLive([host]);
      expect(checks[0]).toMatchObject({ check: 'source', state: 'broken', message });
      expect(checks[0]?.fix).toContain('wait a few hours');
      expect(host.requests).toHaveLength(1);
    },
  );
});
