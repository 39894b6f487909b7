import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { edgarHost, releaseOf } from '../../../test/support/hosts/edgar-host.ts';
import { type ScriptedHost, scriptedHost } from '../../../test/support/hosts/scripted-host.ts';
import { ScriptedNetwork } from '../../../test/support/hosts/scripted-network.ts';
import { agencyHosts } from '../../../test/support/hosts/government-hosts.ts';
import {
  addEndpoint,
  engineDeps,
  fanOutAll,
  respondWith,
  subscribe,
} from '../../../test/support/webhook-world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../../test/support/logs.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import {
  companyfacts,
  companyfactsUrl,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
} from '../../../test/support/write-recording.ts';
import { createHttpClient } from '../../platform/http-client.ts';
import { createSecretCipher } from '../../platform/encryption.ts';
import { startWebhookWorker } from '../../delivery/worker/worker.ts';
import type { PostRequest } from '../../delivery/send/agent.ts';
import { insertSecret } from '../../webhooks/secret/secret-store.ts';
import { provider as agencies } from '../../providers/us-agencies/index.ts';
import { verifyWebhook } from '../../../../sdk/src/index.ts';
import { seededRandom } from '../../platform/random.ts';
import { providers } from '../../providers/registry.gen.ts';
import { provider } from '../../providers/sec/index.ts';
import type { Db } from '../../storage/db.ts';
import { createIngest } from '../ingest.ts';
import { createLiveFeeds } from '../live-feeds.ts';
import { liveDeps } from '../start-live.ts';
import type { WatchProgress } from './watch-progress.ts';

/** 16:00 in New York on a Thursday, when EDGAR accepts filings. */
const NOW = Date.parse('2026-01-29T21:00:00Z');
const HOUR_MS = 3_600_000;
/** The company reports on Thursdays after the close; its last report was a week ago. */
const REPORTS = [
  '2026-01-22',
  '2025-10-23',
  '2025-07-24',
  '2025-04-24',
  '2025-01-23',
  '2024-10-24',
  '2024-07-25',
  '2024-04-25',
  '2024-01-25',
].map((day) => `${day}T21:05:00.000Z`);
const COMPANIES = [
  ['0009990001', 'NRTH'],
  ['0009990002', 'SOUT'],
  ['0009990003', 'WEST'],
] as const;
const SECRET = 'whsec_of-the-watched-company';
const QUARTER = { start: '2025-07-01', end: '2025-09-30', fp: 'Q3', revenue: 412_000_000 };

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

function releaseOfQuarter(symbol: string, quarter: Parameters<typeof releaseOf>[2]): string {
  const figures = { eps: '1.21', epsYearAgo: '1.02', revenue: 41_000, revenueYearAgo: 38_000 };
  return releaseOf({ name: `${symbol} Tools Inc.`, symbol }, figures, quarter);
}

/** A market of three companies at EDGAR, of which the first one's newest release is there to read. */
function watchedWorld(symbols: readonly string[], reports = REPORTS) {
  const clock = fakeClock(NOW);
  const edgar = edgarHost(clock);
  const hosts: ScriptedHost[] = [edgar];
  edgar.pages.set(
    TICKERS_URL,
    tickers(
      ...COMPANIES.map(
        ([cik, symbol]) => [Number(cik), `${symbol} Tools Inc`, symbol] as [number, string, string],
      ),
    ),
  );
  for (const [cik, symbol] of COMPANIES) {
    edgar.pages.set(submissionsUrl(cik), submissions(cik, symbol, reports));
    edgar.pages.set(companyfactsUrl(cik), companyfacts(cik, [QUARTER]));
    const body = releaseOfQuarter(symbol, { end: '2025-12-31', number: 4 });
    for (const [index, acceptedAt] of reports.slice(0, 2).entries()) {
      edgar.filings.push({
        accession: `${cik}-26-00000${index + 1}`,
        cik,
        name: symbol,
        form: '8-K',
        items: ['2.02', '9.01'],
        acceptedAt: Date.parse(acceptedAt),
        exhibits: [{ type: 'EX-99.1', filename: 'ex991.htm', body }],
      });
    }
  }
  const progress: WatchProgress[] = [];
  const network = { isDown: false };

  let onCommit: () => void = () => undefined;

  function start(sources = [provider]) {
    const random = seededRandom(1);
    const reachable = hosts.map((host) => ({
      ...host,
      get names() {
        return network.isDown ? [] : host.names;
      },
    }));
    const dispatcher = new ScriptedNetwork(clock, reachable);
    const client = createHttpClient({ clock, random, dispatcher });
    const setting = (name: string) =>
      name === 'SEC_CONTACT' ? 'Jane Doe jane@example.org' : undefined;
    const ingest = createIngest({ db, clock, providers, onCommit: () => onCommit() });
    const watched = { symbols, onProgress: (step: WatchProgress) => void progress.push(step) };
    const options = { db, clock, random, log: silentLog, setting, ingest, watched };
    const feeds = createLiveFeeds(liveDeps({ ...options, providers: sources }, client));
    feeds.start();
    return feeds;
  }

  /** Advances the clock while the store works. */
  async function advanceUntil(isDone: () => boolean): Promise<void> {
    for (let step = 0; !isDone(); step++) {
      if (step > 4000) throw new Error(`not done: ${JSON.stringify(progress)}`);
      for (let turn = 0; turn < 3; turn++) await db.query('select 1');
      await clock.advance(50);
    }
  }

  const until = (kind: WatchProgress['kind']): Promise<void> =>
    advanceUntil(() => progress.some((each) => each.kind === kind));

  /** Subscribes an endpoint, and sends its webhooks to `posts`. */
  async function receivePosts(symbol: string) {
    const deps = engineDeps(db, clock);
    const cipher = createSecretCipher([new Uint8Array(32).fill(7)], deps.random);
    await addEndpoint(db, 'ep');
    const secret = { endpointId: 'ep', role: 'current' as const, secret: SECRET };
    await db.transaction((tx) => insertSecret(tx, cipher, { ...secret, now: clock.now() }));
    await subscribe(deps, 'ep', [symbol]);
    await fanOutAll(deps);
    const posts: PostRequest[] = [];
    const agent = {
      post: (request: PostRequest) => {
        posts.push(request);
        return Promise.resolve(respondWith(204));
      },
      close: () => Promise.resolve(),
    };
    const options = { brand: 'Service', log: silentLog, checksClock: false };
    const worker = startWebhookWorker({ ...deps, ...options, agent, cipher });
    onCommit = worker.wake;
    return { posts, stop: () => worker.stop() };
  }

  const stop = async (...parts: { stop(): Promise<void> }[]): Promise<void> => {
    let stopped = 0;
    for (const part of parts) void part.stop().then(() => stopped++);
    await advanceUntil(() => stopped === parts.length);
  };
  const tools = { advanceUntil, receivePosts, start, stop, until };
  return { clock, edgar, hosts, network, progress, ...tools };
}

describe('watched companies', () => {
  test('are fetched first and politely, summarized, and not fetched again after a restart', async () => {
    const world = watchedWorld(['SOUT', 'NRTH']);
    const { edgar, progress, clock } = world;
    const feeds = world.start();
    await world.until('finished');
    const first = edgar.requests.map(({ url }) => url.pathname).slice(0, 13);
    expect(first).toEqual([
      '/files/company_tickers_exchange.json',
      ...['0009990002', '0009990001'].flatMap((cik) => [
        `/submissions/CIK${cik}.json`,
        `/api/xbrl/companyfacts/CIK${cik}.json`,
        ...[1, 2].flatMap((index) => {
          const folder = `/Archives/edgar/data/${Number(cik)}/${cik}2600000${index}`;
          return [`${folder}/${cik}-26-00000${index}-index.html`, `${folder}/ex991.htm`];
        }),
      ]),
    ]);
    expect(edgar.violations).toEqual([]);
    expect(edgar.peakPerSecond()).toBeLessThanOrEqual(8);
    // It took less than the head start of a minute, so that all of it came first.
    expect(edgar.requests[12]?.atMs).toBeLessThan(60_000);
    const steps = progress.map((step) => ('title' in step ? step.title : step.kind));
    const perCompany = [
      'filings',
      'reported figures',
      'release of 2026-01-22',
      'release of 2025-10-23',
      'company',
    ];
    expect(steps).toEqual([
      'started',
      'list of companies',
      ...perCompany,
      ...perCompany,
      'finished',
    ]);
    const next = { date: '2026-04-23', dateStatus: 'projected' };
    expect(progress.filter(({ kind }) => kind === 'company')).toEqual([
      { kind: 'company', symbol: 'SOUT', reports: 9, next },
      { kind: 'company', symbol: 'NRTH', reports: 9, next },
    ]);
    await world.stop(feeds);

    const known = edgar.requests.length;
    progress.length = 0;
    await clock.advance(HOUR_MS);
    const again = world.start();
    await world.until('finished');
    expect(progress.map(({ kind }) => kind)).toEqual(['started', 'company', 'company', 'finished']);
    await world.stop(again);
    const later = edgar.requests.slice(known).map(({ url }) => url.pathname);
    // Neither is the list by its own weekly job.
    const isList = ({ url }: { url: URL }): boolean => url.href === TICKERS_URL;
    expect(edgar.requests.filter(isList)).toHaveLength(1);
    expect(later.filter((path) => /company|submissions|data\/999/.test(path))).toEqual([]);
  });

  test('that do not exist are named, with similar symbols', async () => {
    const world = watchedWorld(['NRTHH', 'WEST']);
    const feeds = world.start();
    await world.until('finished');
    expect(world.progress).toContainEqual({
      kind: 'unknown-symbol',
      symbol: 'NRTHH',
      suggestions: ['NRTH'],
    });
    expect(world.progress.at(-1)).toEqual({ kind: 'finished', symbols: ['WEST'] });
    await world.stop(feeds);
  });

  test('are reported at once without a network, then fetched when it is back', async () => {
    const world = watchedWorld(['NRTH']);
    world.network.isDown = true;
    const feeds = world.start();
    await world.until('unavailable');
    expect(world.clock.now() - NOW).toBeLessThan(1000);
    for (let step = 0; step < 40; step++) {
      await db.query('select 1');
      await world.clock.advance(1000);
    }
    expect(world.progress).toEqual([
      { kind: 'started', symbols: ['NRTH'] },
      {
        kind: 'unavailable',
        host: 'www.sec.gov',
        reason: 'network',
        isRefusal: false,
        advice: null,
      },
    ]);
    world.network.isDown = false;
    await world.until('finished');
    expect(world.progress.filter(({ kind }) => kind === 'available')).toHaveLength(1);
    expect(world.edgar.violations).toEqual([]);
    await world.stop(feeds);
  });

  test('are reported after five seconds if a host hangs, and with its advice if it refuses', async () => {
    const world = watchedWorld(['NRTH']);
    world.hosts[0] = scriptedHost({
      names: ['www.sec.gov', 'data.sec.gov'],
      limits: [],
      check: () => null,
      serve: ({ atMs }) => (atMs < 30_000 ? 'hang' : { status: 403, body: 'refused' }),
    });
    const feeds = world.start();
    await world.until('unavailable');
    expect(world.clock.now() - NOW).toBeLessThan(6000);
    expect(world.progress.at(-1)).toMatchObject({ reason: 'no response in 5 seconds' });
    world.progress.length = 0;
    await world.until('unavailable');
    expect(world.progress).toMatchObject([
      { kind: 'unavailable', isRefusal: true, advice: provider.whenRefused },
    ]);
    await world.stop(feeds);
  });

  test('get a signed webhook with the results of the filing that follows', async () => {
    const world = watchedWorld(['SOUT'], REPORTS.slice(1));
    world.hosts.push(...agencyHosts());
    const feeds = world.start([provider, agencies]);
    await world.until('finished');
    const receiver = await world.receivePosts('SOUT');
    const old = world.edgar.filings.find(({ name }) => name === 'SOUT');
    if (old === undefined) throw new Error('no filing');
    const acceptedAt = Math.floor(world.clock.now() / 1000) * 1000 + 10_000;
    const body = releaseOfQuarter('SOUT', { end: '2025-12-31', number: 4 });
    const exhibits = [{ type: 'EX-99.1', filename: 'ex991.htm', body }];
    world.edgar.filings.push({ ...old, accession: `${old.cik}-26-000099`, acceptedAt, exhibits });
    await world.advanceUntil(() => receiver.posts.length > 0);
    const post = receiver.posts.at(-1);
    expect(world.clock.now() - acceptedAt).toBeLessThan(10_000);
    const headers = Object.fromEntries(post?.headers ?? []);
    const text = Buffer.from(post?.body ?? []).toString();
    expect(
      await verifyWebhook(post?.body ?? '', headers, SECRET, { now: world.clock.now() }),
    ).toMatchObject({ ok: true });
    expect(JSON.parse(text)).toMatchObject({
      context: { symbol: 'SOUT' },
      data: { eps: 1.21, revenue: 41_000_000 },
    });
    await world.stop(feeds, receiver);
  });

  /** A company that files many reports of one form, of which the second states its results. */
  function foreignWorld() {
    const world = watchedWorld(['WEST']);
    const cik = '0009990003';
    const page = submissions(cik, 'WEST', REPORTS) as {
      filings: { recent: Record<string, string[]> };
    };
    const { recent } = page.filings;
    Object.assign(recent, { form: REPORTS.map(() => '6-K'), items: REPORTS.map(() => '') });
    world.edgar.pages.set(submissionsUrl(cik), page);
    const release = releaseOfQuarter('WEST', { end: '2025-09-30', number: 3 });
    const bodies = ['<html><p>WEST appoints a director.</p></html>', release];
    const reports = world.edgar.filings.filter((filing) => filing.cik === cik);
    for (const [index, filing] of reports.entries()) {
      const exhibits = [{ type: 'EX-99.1', filename: 'a.htm', body: bodies[index] ?? '' }];
      Object.assign(filing, { form: '6-K', items: [], exhibits });
    }
    const titles = () => world.progress.map((step) => ('title' in step ? step.title : step.kind));
    const documents = () =>
      world.edgar.requests.filter(({ path }) => path.includes('/edgar/data/')).length;
    return { ...world, titles, documents };
  }

  test('that report abroad get their newest results from among other reports', async () => {
    const world = foreignWorld();
    const feeds = world.start();
    await world.until('finished');
    expect(world.titles()).toContain('release of 2025-10-23');
    expect(world.titles()).not.toContain('release of 2026-01-22');
    // The other seven reports are not read, because the newest results are known.
    expect(world.documents()).toBe(5);
    expect(
      await db.query(`select eps from earnings_event where known_to is null and eps is not null`),
    ).toEqual([{ eps: '1.21' }]);
    await world.stop(feeds);
  });

  test('that report abroad get them after a restart that cut the first attempt short', async () => {
    const world = foreignWorld();
    const first = world.start();
    await world.advanceUntil(() => world.titles().includes('reported figures'));
    await world.stop(first);
    // A whole attempt reads five documents.
    expect(world.documents()).toBeLessThan(5);
    const second = world.start();
    await world.until('finished');
    const pages = world.edgar.requests.filter(({ path }) => path.startsWith('/submissions/'));
    expect(pages).toHaveLength(1);
    expect(world.titles()).toContain('release of 2025-10-23');
    await world.stop(second);

    const read = world.documents();
    world.progress.length = 0;
    const third = world.start();
    await world.until('finished');
    expect(world.documents()).toBe(read);
    await world.stop(third);
  });
});
