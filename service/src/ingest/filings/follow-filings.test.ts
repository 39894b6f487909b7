import { describe, expect, test } from 'vitest';
import {
  type EdgarHost,
  edgarHost,
  releaseOf,
  type ScriptedFiling,
} from '../../../test/support/hosts/edgar-host.ts';
import { ScriptedNetwork } from '../../../test/support/hosts/scripted-network.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../../test/support/logs.ts';
import { memoryFilingLedger } from '../../../test/support/memory-filing-ledger.ts';
import { memoryJobStore } from '../../../test/support/memory-job-store.ts';
import { createHttpClient } from '../../platform/http-client.ts';
import type { Instant } from '../../platform/instant.ts';
import { seededRandom } from '../../platform/random.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { provider } from '../../providers/sec/index.ts';
import { emptyReport, type ResponseReport } from '../report.ts';
import { followFilings } from './follow-filings.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** 16:00 in New York on a Thursday. */
const CLOSE = Date.parse('2026-11-19T21:00:00Z');

/** Follows a scripted EDGAR on a fake clock. Responses are parsed, but not stored. */
function edgarWorld({ startAt = CLOSE - MINUTE_MS, perSecond = '8', feedSeconds = '2' } = {}) {
  const clock = fakeClock(startAt);
  const host = edgarHost(clock);
  const memory = memoryJobStore();
  const books = memoryFilingLedger();
  const ingested: { url: string; at: Instant }[] = [];
  const settings: Record<string, string> = {
    SEC_CONTACT: 'Jane Doe jane@example.org',
    SEC_REQUESTS_PER_SECOND: perSecond,
    SEC_FEED_SECONDS: feedSeconds,
  };
  const setting = (name: string) => settings[name];
  let process = start();

  function start() {
    const end = new AbortController();
    const client = createHttpClient({
      clock,
      random: seededRandom(1),
      dispatcher: new ScriptedNetwork(clock, [host]),
    });
    const limits = provider.limitsOf?.(setting) ?? provider.limits;
    const source = client.source({ name: 'sec', hosts: provider.hosts, limits });
    const { follower } = provider;
    if (follower === undefined) throw new Error('sec has no follower');
    const following = followFilings({
      name: 'sec',
      follower,
      settings: { setting },
      jobs: memory.jobs,
      ledger: books.ledger,
      clock,
      log: silentLog,
      source,
      signal: end.signal,
      ingest(response) {
        ingested.push({ url: response.url, at: clock.now() });
        return Promise.resolve(reportOf(response));
      },
    });
    return { end, following, source, done: following.run() };
  }

  return {
    clock,
    host,
    ...books,
    progress: memory.progress,
    ingested,
    source: () => process.following.inBackground(process.source),
    async restart() {
      process.end.abort();
      await clock.advance(SECOND_MS);
      await process.done;
      process = start();
    },
    /** Returns the filings with results that were never served. */
    lost: () =>
      host.filings.filter(
        ({ accession, exhibits }) =>
          exhibits.length > 0 && books.finished.get(accession)?.mayServeAt == null,
      ),
    /** Milliseconds from the feed showing each filing to its results being served. */
    delaysMs: () =>
      host.filings.flatMap(({ accession, acceptedAt, shownAt = acceptedAt }) => {
        const servedAt = books.finished.get(accession)?.mayServeAt ?? null;
        return servedAt === null ? [] : [servedAt - shownAt];
      }),
  };
}

/** A release has a row for itself and one for each of two figures. */
function reportOf({ url, text }: SourceResponse): ResponseReport {
  const rows = url.endsWith('-index.html') ? 1 : text.includes('per diluted share') ? 3 : 0;
  const datasets = [{ ...emptyReport('earnings', 'ingested'), rowsSeen: rows, rowsNew: rows }];
  return { provider: 'sec', feed: null, datasets, isDamaged: false };
}

function filingOf(
  number: number,
  acceptedAt: Instant,
  more: Partial<ScriptedFiling> = {},
): ScriptedFiling {
  const cik = String(1_900_000 + number).padStart(10, '0');
  const company = { name: `Heron ${number} Inc.`, symbol: `HRN${number}` };
  const body = releaseOf(company, {
    eps: '1.21',
    epsYearAgo: '1.02',
    revenue: 412_000 + number,
    revenueYearAgo: 380_500,
  });
  return {
    accession: `${cik}-26-000001`,
    cik,
    name: company.name,
    form: '8-K',
    items: ['2.02', '9.01'],
    // EDGAR states whole seconds.
    acceptedAt: Math.floor(acceptedAt / SECOND_MS) * SECOND_MS,
    shownAt: acceptedAt,
    exhibits: [{ type: 'EX-99.1', filename: 'ex991.htm', body }],
    ...more,
  };
}

/** Returns filings at random times, reproducibly. */
function evening(
  count: number,
  durationMs: number,
  startAt = CLOSE + 5 * MINUTE_MS,
): ScriptedFiling[] {
  const random = seededRandom(7);
  return Array.from({ length: count }, (_, number) =>
    filingOf(number, startAt + random.float() * durationMs),
  );
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function expectPolite(host: EdgarHost, perSecondMax = 8): void {
  expect(host.violations).toEqual([]);
  expect(host.peakPerSecond()).toBeLessThanOrEqual(perSecondMax);
}

describe('an evening of 500 filings', () => {
  test('in ten minutes loses none and serves each within seconds, at most 8 requests a second', async () => {
    const world = edgarWorld();
    world.host.filings.push(...evening(500, 10 * MINUTE_MS));
    await world.clock.advance(20 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
    expectPolite(world.host);
    const delaysMs = world.delaysMs();
    expect(delaysMs).toHaveLength(500);
    expect(percentile(delaysMs, 0.5)).toBeLessThanOrEqual(2 * SECOND_MS);
    expect(percentile(delaysMs, 0.99)).toBeLessThanOrEqual(5 * SECOND_MS);
  });

  test('at once loses none, though they fill several pages, and serves the newest first', async () => {
    const world = edgarWorld();
    const at = CLOSE + 5 * MINUTE_MS;
    world.host.filings.push(...evening(500, 20 * SECOND_MS, at));
    await world.clock.advance(6 * MINUTE_MS + 30 * SECOND_MS);
    const served = world.ingested.filter(({ url }) => url.endsWith('.htm')).length;
    expect(served).toBeGreaterThan(50);
    await world.clock.advance(10 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
    expectPolite(world.host);
    const order = [...world.finished.keys()].slice(-50).map((key) => world.filings.get(key));
    expect(order.every((filing) => (filing?.acceptedAt ?? 0) < at + 10 * SECOND_MS)).toBe(true);
  });

  test('keeps to a lower ceiling of the operator', async () => {
    const world = edgarWorld({ perSecond: '3' });
    world.host.filings.push(...evening(60, MINUTE_MS));
    await world.clock.advance(20 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
    expectPolite(world.host, 3);
  });

  test('makes other requests to the source wait for the documents', async () => {
    const world = edgarWorld();
    world.host.filings.push(...evening(40, SECOND_MS));
    await world.clock.advance(6 * MINUTE_MS + 4 * SECOND_MS);
    const url = 'https://data.sec.gov/submissions/CIK0001900001.json';
    const headers = { 'User-Agent': 'Jane Doe jane@example.org' };
    const result = world.source().fetch({ url, headers });
    await world.clock.advance(20 * SECOND_MS);
    await result;
    const indexOf = world.host.requests.findIndex(({ path }) => path.startsWith('/submissions'));
    const before = world.host.requests.slice(0, indexOf).filter(({ path }) => /ex991/.test(path));
    expect(before).toHaveLength(40);
  });
});

describe('a feed with a fault', () => {
  test.each([
    ['hangs', 'hang'],
    ['is cut in the middle', 'cut'],
    ['repeats its first page', 'repeat'],
    ['reorders its rows', 'shuffle'],
    ['is unavailable', 'unavailable'],
    ['refuses with the page about undeclared tools', 'undeclared'],
    ['refuses as to a client that is too fast', 'refused'],
  ] as const)('that %s for two minutes loses no filing', async (_, fault) => {
    const world = edgarWorld();
    world.host.filings.push(...evening(150, 2 * MINUTE_MS));
    await world.clock.advance(6 * MINUTE_MS);
    world.host.faults.feed = fault;
    await world.clock.advance(2 * MINUTE_MS);
    world.host.faults.feed = null;
    // A refusal is answered with ten minutes without any request.
    await world.clock.advance(20 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
    expectPolite(world.host);
  });

  test('that shows nothing new for minutes loses no filing', async () => {
    const world = edgarWorld();
    world.host.filings.push(...evening(250, 5 * MINUTE_MS));
    await world.clock.advance(6 * MINUTE_MS);
    world.host.faults.shownUntil = world.clock.now();
    await world.clock.advance(6 * MINUTE_MS);
    world.host.faults.shownUntil = null;
    await world.clock.advance(5 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
  });

  test('that shows a filing half an hour late serves it then', async () => {
    const world = edgarWorld({ feedSeconds: '20' });
    const late = filingOf(900, CLOSE + 5 * MINUTE_MS, { shownAt: CLOSE + 30 * MINUTE_MS });
    world.host.filings.push(late, ...evening(300, 40 * MINUTE_MS));
    await world.clock.advance(50 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
  });

  test('makes no request during the ten minutes after a refusal', async () => {
    const world = edgarWorld();
    await world.clock.advance(2 * MINUTE_MS);
    world.host.faults.feed = 'undeclared';
    await world.clock.advance(10 * SECOND_MS);
    const { length } = world.host.requests;
    world.host.faults.feed = null;
    await world.clock.advance(9 * MINUTE_MS);
    expect(world.host.requests).toHaveLength(length);
    await world.clock.advance(2 * MINUTE_MS);
    expect(world.host.requests.length).toBeGreaterThan(length);
  });
});

describe('a filing', () => {
  test('is requested again while its documents are not there yet', async () => {
    const world = edgarWorld();
    world.host.filings.push(filingOf(1, CLOSE + MINUTE_MS));
    world.host.faults.missingDocuments = 3;
    await world.clock.advance(30 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
  });

  test('is given up after several tries', async () => {
    const world = edgarWorld();
    const filing = filingOf(1, CLOSE + MINUTE_MS);
    world.host.filings.push(filing);
    world.host.faults.missingDocuments = 100;
    await world.clock.advance(2 * HOUR_MS);
    expect(world.finished.get(filing.accession)?.state).toBe('failed');
    expect(world.host.faults.missingDocuments).toBe(94);
  });

  test.each([
    ['an 8-K without results', { items: ['5.02'] }, 0],
    ['a quarterly report', { form: '10-Q', items: [] }, 0],
    ['an amendment with results', { form: '8-K/A' }, 1],
    ['a 6-K with results', { form: '6-K', items: [] }, 1],
  ])('that is %s is seen, and its exhibit read if it can state results', async (_, more, count) => {
    const world = edgarWorld();
    const filing = filingOf(1, CLOSE + MINUTE_MS, more);
    world.host.filings.push(filing);
    await world.clock.advance(5 * MINUTE_MS);
    expect(world.filings.get(filing.accession)?.form).toBe(filing.form);
    expect(world.ingested.filter(({ url }) => url.endsWith('ex991.htm'))).toHaveLength(count);
  });

  test('that is a 6-K with other news is not ingested', async () => {
    const world = edgarWorld();
    const body = '<html><p>Heron 1 Inc. appoints a member of its board.</p></html>';
    const exhibits = [{ type: 'EX-99.1', filename: 'ex991.htm', body }];
    world.host.filings.push(filingOf(1, CLOSE + MINUTE_MS, { form: '6-K', items: [], exhibits }));
    await world.clock.advance(5 * MINUTE_MS);
    expect(world.ingested).toEqual([]);
    expect([...world.finished.values()]).toMatchObject([{ state: 'done', mayServeAt: null }]);
  });

  test('whose first exhibit is no release is read on in the next one', async () => {
    const world = edgarWorld();
    const filing = filingOf(1, CLOSE + MINUTE_MS);
    const slides = { type: 'EX-99.2', filename: 'a.htm', body: '<html><p>Slides</p></html>' };
    const [release = slides] = filing.exhibits;
    const exhibits = [{ ...release, type: 'EX-99.10', filename: 'z.htm' }, slides];
    world.host.filings.push({ ...filing, exhibits });
    await world.clock.advance(5 * MINUTE_MS);
    expect(world.ingested.map(({ url }) => url.split('/').at(-1))).toEqual([
      'a.htm',
      'z.htm',
      `${filing.accession}-index.html`,
    ]);
  });
});

describe('following', () => {
  test('continues after a restart in the middle of a burst', async () => {
    const world = edgarWorld();
    world.host.filings.push(...evening(150, 20 * SECOND_MS));
    for (let restarts = 0; restarts < 10; restarts++) {
      await world.clock.advance(restarts === 0 ? 6 * MINUTE_MS : 3 * SECOND_MS);
      await world.restart();
    }
    await world.clock.advance(10 * MINUTE_MS);
    expect(world.lost()).toEqual([]);
    // Reading was cut short at most once for each restart.
    const releases = world.ingested.filter(({ url }) => url.endsWith('ex991.htm'));
    expect(releases.length).toBeLessThan(150 + 10 * 3);
    expectPolite(world.host);
  });

  test('closes gaps from the daily index at night', async () => {
    const world = edgarWorld({ feedSeconds: '60' });
    const filings = evening(30, 10 * MINUTE_MS);
    world.host.filings.push(...filings);
    for (const { accession } of filings.slice(0, 5)) world.host.faults.hidden.add(accession);
    await world.clock.advance(HOUR_MS);
    expect(world.lost()).toHaveLength(5);
    await world.clock.advance(7 * HOUR_MS);
    expect(world.lost()).toEqual([]);
    expect(world.filings.get(filings[0]?.accession ?? '')?.isLive).toBe(false);
  });

  test('closes a gap of days after an outage', async () => {
    const world = edgarWorld({ feedSeconds: '60' });
    await world.clock.advance(MINUTE_MS);
    const before = evening(20, 10 * MINUTE_MS, CLOSE + 24 * HOUR_MS);
    const DAYS_MS = 5 * 24 * HOUR_MS;
    const after = evening(250, HOUR_MS, CLOSE + DAYS_MS - HOUR_MS).map((filing, n) => ({
      ...filing,
      ...filingOf(1000 + n, filing.acceptedAt),
    }));
    world.host.filings.push(...before, ...after);
    world.host.faults.feed = 'unavailable';
    await world.clock.advance(DAYS_MS);
    world.host.faults.feed = null;
    // The feed reaches back two days only.
    for (const { accession } of before) world.host.faults.hidden.add(accession);
    await world.clock.advance(10 * HOUR_MS);
    expect(world.lost()).toEqual([]);
    expectPolite(world.host);
  });

  test('makes no request for the feed outside the hours in which EDGAR accepts filings', async () => {
    const saturday = Date.parse('2026-11-21T05:00:00Z');
    const world = edgarWorld({ startAt: saturday, feedSeconds: '60' });
    await world.clock.advance(30 * HOUR_MS);
    expect(world.host.requests.filter(({ path }) => path.startsWith('/cgi-bin'))).toEqual([]);
  });

  test('counts the delay only of filings that appear while it follows', async () => {
    const world = edgarWorld();
    const [old, fresh] = [filingOf(1, CLOSE - HOUR_MS), filingOf(2, CLOSE + MINUTE_MS)];
    world.host.filings.push(old, fresh);
    await world.clock.advance(5 * MINUTE_MS);
    expect(world.filings.get(old.accession)?.isLive).toBe(false);
    expect(world.filings.get(fresh.accession)?.isLive).toBe(true);
  });
});
