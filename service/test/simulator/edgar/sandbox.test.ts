import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  sandboxSetting,
  sandboxSimulation,
  sandboxSources,
} from '../../../src/app/sandbox-sources.ts';
import { loadConfirmations } from '../../../src/datasets/earnings/load-confirmations.ts';
import { loadFilingDelays } from '../../../src/datasets/filings/delays.ts';
import { addDays } from '../../../src/domain/local-date.ts';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import { newYorkDate } from '../../../src/domain/new-york.ts';
import { endpoints } from '../../../src/endpoints/registry.gen.ts';
import type { EndpointResponse } from '../../../src/endpoints/endpoint.ts';
import { createIngest } from '../../../src/ingest/ingest.ts';
import { startLiveFeeds } from '../../../src/ingest/start-live.ts';
import { createSourceResponse } from '../../../src/providers/source-response.ts';
import { createHttpClient } from '../../../src/platform/http-client.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import { createSimulatedEdgar } from '../../../src/providers/sandbox/edgar/simulated-edgar.ts';
import { provider as sec } from '../../../src/providers/sec/index.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/logs.ts';
import { parameterValues } from '../../support/parameter-values.ts';
import {
  addEndpoint,
  deliverAll,
  engineDeps,
  fanOutAll,
  subscribe,
} from '../../support/webhook-world.ts';
import { type InlineStore, openInlineStore } from '../world/inline-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const STEP_MS = 3_000;
const settings = { sourceSettings: new Map([['SANDBOX_SYMBOLS', '20']]) };
const edgar = createSimulatedEdgar({
  seed: 1,
  companies: 20,
  isTradingDay: marketCalendar().isTradingDay,
});
/** The first report that is filed after this time, whose quarterly report follows on the same day. */
const report = nextReport(Date.parse('2026-11-20T00:00:00Z'));
const clock = fakeClock(report.results.acceptedAt - 2 * MINUTE_MS);

let db: InlineStore;
beforeAll(async () => void (db = await openInlineStore()));
afterAll(() => db.close());

test('a company of the sandbox reports: its filing, the figures with their cells, a webhook, then XBRL', async () => {
  const providers = sandboxSources(settings);
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  const feeds = startLiveFeeds({
    db,
    clock,
    random: seededRandom(1),
    log: silentLog,
    setting: (name) => (name === 'SEC_FEED_SECONDS' ? '20' : sandboxSetting(name)),
    providers,
    ingest,
    simulation: sandboxSimulation(settings, clock),
  });
  let isFilled = false;
  void feeds.start().then(() => (isFilled = true));
  while (!isFilled) await settle();
  const deps = engineDeps(db, clock);
  await addEndpoint(db, 'ep');
  await subscribe(deps, 'ep', [report.symbol]);
  await fanOutAll(deps);

  await advance(4 * MINUTE_MS);
  const rows = await rowsOf('earnings', { symbol: report.symbol, include: 'provenance' });
  const { figures } = report;
  const row = rows.find(({ fiscalPeriodEnd }) => fiscalPeriodEnd === figures.end);
  expect(row).toMatchObject({
    provenance: { revenue: { source: 'sec', cell: { row: 'Total revenue' } } },
    reportedAt: instantText(report.results.acceptedAt),
    revenue: figures.revenue,
  });
  const posts = await deliverAll(deps);
  expect(posts.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ revenue: figures.revenue }),
  );
  const delays = await loadFilingDelays(db, clock.now());
  expect(delays.last200).toMatchObject({ filings: 1 });
  expect(delays.last200.served.p95).toBeLessThan(90);

  await stop(feeds);
  // The quarterly report was filed meanwhile, and a scheduled request gets its facts.
  await clock.advance(DAY_MS / 2);
  const url = `https://data.sec.gov/api/xbrl/companyfacts/CIK${report.results.cik}.json`;
  const reply = edgar.respond(new URL(url), clock.now());
  if (reply === 'hang') throw new Error('no facts');
  const { status, contentType, body: text } = reply;
  const observedAt = clock.now();
  await ingest(createSourceResponse({ url, status, contentType, observedAt, text }));
  const { counts } = await loadConfirmations(db, clock.now());
  expect(counts).toContainEqual(expect.objectContaining({ figure: 'revenue', contradicted: 0 }));
  expect(counts.find(({ figure }) => figure === 'revenue')?.confirmed).toBeGreaterThan(0);
});

test('its past can be requested on both axes of time on the first day', async () => {
  const now = clock.now();
  const asOf = now - 40 * DAY_MS;
  for (const known of ['store', 'public']) {
    const rows = await rowsOf('earnings', { symbol: report.symbol, asOf, known });
    expect(rows.length, known).toBeGreaterThan(0);
    const [reactions] = await rowsOf('earnings-reactions', { symbol: report.symbol, asOf, known });
    expect(reactions, known).toMatchObject({ symbol: report.symbol });
    const movers = await ask('earnings-movers', { date: newYorkDate(asOf), asOf, known });
    expect(movers.kind, known).toBe('body');
    expect((await ask('unusual-volume', { asOf, known })).kind, known).toBe('body');
  }
  const early = { symbol: report.symbol, asOf: now - 400 * DAY_MS };
  const refusal = await ask('earnings', early);
  const firstAt = refusal.kind === 'not-known-yet' ? (refusal.firstAt ?? 0) : 0;
  expect(Math.round((now - firstAt) / DAY_MS / 7)).toBeGreaterThanOrEqual(25);
  // Filings say what was public before the first commit.
  expect((await rowsOf('earnings', { ...early, known: 'public' })).length).toBeGreaterThan(0);
});

test('its network reaches the simulated EDGAR alone', async () => {
  const dispatcher = sandboxSimulation(settings, clock);
  const client = createHttpClient({ clock, random: seededRandom(1), dispatcher });
  const hosts = ['www.sec.gov', 'api.nasdaq.com'];
  const source = client.source({ name: 'x', hosts, limits: { ...sec.limits, intervalMsMin: 0 } });
  const kinds = hosts.map(async (host) => {
    const request = { url: `https://${host}/files/company_tickers.json`, headers: {} };
    return (await source.fetch({ ...request, attemptsMax: 1 })).kind;
  });
  expect(await Promise.all(kinds)).toEqual(['response', 'unavailable']);
});

function nextReport(after: number) {
  for (let day = newYorkDate(after); ; day = addDays(day, 1)) {
    for (const filing of edgar.filings.between(day, day)) {
      const company = edgar.filings.companyOf(filing.cik);
      if (company === undefined || !filing.items.includes('2.02')) continue;
      for (const cycle of [8106, 8107]) {
        const filings = edgar.filings.ofReport(company.index, cycle);
        const isSameDay = filings.periodic.acceptedAt < filings.results.acceptedAt + DAY_MS / 2;
        if (filings.results.accession !== filing.accession || !isSameDay) continue;
        const figures = edgar.filings.figuresOf(company.index, cycle);
        return { ...filings, figures, symbol: company.symbol };
      }
    }
  }
}

async function settle(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (db.isBusy());
}

async function advance(durationMs: number): Promise<void> {
  for (let doneMs = 0; doneMs < durationMs; doneMs += STEP_MS) {
    await clock.advance(STEP_MS);
    await settle();
  }
}

async function stop(feeds: { stop(): Promise<void> }): Promise<void> {
  let isStopped = false;
  void feeds.stop().then(() => (isStopped = true));
  while (!isStopped) await advance(1000);
}

async function ask(name: string, parameters: Record<string, string | number>) {
  const endpoint = endpoints.find((candidate) => candidate.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  return endpoint.handle(parameterValues(parameters), { db, now: clock.now() });
}

async function rowsOf(
  name: string,
  parameters: Record<string, string | number>,
): Promise<Record<string, unknown>[]> {
  const response: EndpointResponse = await ask(name, parameters);
  if (response.kind !== 'body') throw new Error(response.kind);
  return response.body as Record<string, unknown>[];
}

function instantText(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
