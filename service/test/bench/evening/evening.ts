import { devAllow } from '../../../src/webhooks/address/dev-allow.ts';
import { insertSecret } from '../../../src/webhooks/secret/secret-store.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { createSecretCipher, type SecretCipher } from '../../../src/platform/encryption.ts';
import { createHttpClient } from '../../../src/platform/http-client.ts';
import { seededRandom, systemRandom } from '../../../src/platform/random.ts';
import { createWebhookAgent } from '../../../src/delivery/send/webhook-agent.ts';
import { systemResolver } from '../../../src/delivery/send/resolver.ts';
import type { EngineDeps } from '../../../src/delivery/engine.ts';
import { startWebhookWorker } from '../../../src/delivery/worker/worker.ts';
import { createIngest } from '../../../src/ingest/ingest.ts';
import { filingLedger } from '../../../src/ingest/filings/filing-ledger.ts';
import { followFilings } from '../../../src/ingest/filings/follow-filings.ts';
import { jobStore } from '../../../src/ingest/job-store.ts';
import { provider } from '../../../src/providers/sec/index.ts';
import { createSourceResponse } from '../../../src/providers/source-response.ts';
import type { Db } from '../../../src/storage/db.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import { edgarHost, type ScriptedFiling } from '../../support/hosts/edgar-host.ts';
import { DelayedNetwork } from '../../support/hosts/scripted-network.ts';
import { silentLog } from '../../support/logs.ts';
import { postgresStore } from '../../support/stores.ts';
import { addEndpoint, fanOutAll, subscribe } from '../../support/webhook-world.ts';
import type { Bench } from '../bench.ts';
import { embeddedStore } from '../embedded-store.ts';
import { percentile } from '../webhook-runs/stage.ts';
import { receiveResults } from './receive-results.ts';
import { releaseBodies } from './release-bodies.ts';

const FILINGS = 500;
const MINUTES = 10;
const ENDPOINTS = 1000;
/** Companies that an endpoint watches in a whole evening, so that 40 endpoints watch each company. */
const WATCHED = 20;
/** Time of a request to EDGAR from the east of the United States. */
const ROUND_TRIP_MS = 80;
const SETTLE_MS = 15_000;
const TARGET_MS = 5_000;
/** The evening of the recorded releases, 16:04 in New York. */
const EVENING = Date.parse('2020-04-30T20:04:00Z');

const minutes = Number(process.env['BENCH_EVENING_MINUTES'] ?? MINUTES);

/** Measures the time from the feed showing a filing to each webhook with its result. */
export const bench: Bench = {
  name: 'EDGAR evening',
  target: `p99 from the feed to the POST ≤ ${TARGET_MS} ms, none lost, at most 8 requests a second`,
  async run() {
    const figures = await measure(await embeddedStore(), 'embedded');
    const server = await postgresStore();
    if (!('missing' in server)) Object.assign(figures, await measure(server.db, 'postgres'));
    const values = Object.entries(figures);
    const passed = values.every(
      ([name, value]) =>
        (!name.endsWith('P99Ms') || value <= TARGET_MS) &&
        (!name.endsWith('Lost') || value === 0) &&
        (!name.endsWith('PeakPerSecond') || value <= 8),
    );
    return { passed, figures };
  },
};

async function measure(db: Db, name: string): Promise<Record<string, number>> {
  const clock = systemClock({ startAt: EVENING });
  const filings = eveningOf(Math.round((FILINGS * minutes) / MINUTES), clock);
  const receiver = await receiveResults();
  const world = await openWorld(db, { clock, filings, port: receiver.port });
  await clock.sleep(minutes * 60_000 + 60_000 + SETTLE_MS);
  const arrivals = await receiver.arrivals();
  const peakPerSecond = await world.close();
  receiver.stop();
  const aheadMs = clock.now() - systemClock().now();
  const shownAt = new Map(filings.map((filing, index) => [symbolOf(index), filing.shownAt ?? 0]));
  const firstBy = new Map<string, number>();
  for (const { path, symbol, at } of arrivals) {
    const key = `${path} ${symbol}`;
    if (!firstBy.has(key)) firstBy.set(key, at + aheadMs - (shownAt.get(symbol) ?? 0));
  }
  const delaysMs = [...firstBy.values()];
  const posted = new Set(arrivals.map(({ symbol }) => symbol));
  return {
    [`${name}Filings`]: filings.length,
    [`${name}Lost`]: filings.length - posted.size,
    [`${name}Posts`]: delaysMs.length,
    [`${name}P50Ms`]: Math.round(percentile(delaysMs, 0.5)),
    [`${name}P99Ms`]: Math.round(percentile(delaysMs, 0.99)),
    [`${name}MaxMs`]: Math.round(percentile(delaysMs, 1)),
    [`${name}PeakPerSecond`]: peakPerSecond,
  };
}

function eveningOf(count: number, clock: Clock): ScriptedFiling[] {
  const random = seededRandom(7);
  const bodies = releaseBodies(process.env['AFTERBELL_RECORDINGS']);
  const startAt = clock.now() + 60_000;
  return Array.from({ length: count }, (_, index): ScriptedFiling => {
    const shownAt = startAt + random.float() * minutes * 60_000;
    const company = { name: nameOf(index), symbol: symbolOf(index) };
    const body = bodies[index % bodies.length]?.(company) ?? '';
    return {
      accession: `${cikOf(index)}-20-000001`,
      cik: cikOf(index),
      name: company.name,
      form: '8-K',
      items: ['2.02', '9.01'],
      acceptedAt: Math.floor(shownAt / 1000) * 1000,
      shownAt,
      exhibits: [{ type: 'EX-99.1', filename: 'ex991.htm', body }],
    };
  });
}

async function openWorld(
  db: Db,
  { clock, filings, port }: { clock: Clock; filings: ScriptedFiling[]; port: number },
) {
  const random = systemRandom();
  const deps = { db, clock, random, templates: [template] };
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], random);
  const rules = { ports: [443], devAllow: devAllow([`127.0.0.1:${port}`]) };
  let wake: () => void = () => undefined;
  const ingest = createIngest({ db, clock, providers: [provider], onCommit: () => wake() });
  await ingest(listOfCompanies(filings.length, clock));
  await addEndpoints({ ...deps, cipher, port, companies: filings.length });
  const worker = startWebhookWorker({
    ...deps,
    log: silentLog,
    agent: createWebhookAgent({ clock, resolver: systemResolver(), rules }),
    cipher,
    brand: 'Service',
    checksClock: false,
  });
  wake = worker.wake;
  const end = new AbortController();
  const host = edgarHost(clock, filings);
  const network = new DelayedNetwork(clock, [host], ROUND_TRIP_MS);
  const { follower } = provider;
  if (follower === undefined) throw new Error('sec has no follower');
  const client = createHttpClient({ clock, random, dispatcher: network });
  const following = followFilings({
    name: 'sec',
    follower,
    settings: {
      setting: (name) => (name === 'SEC_CONTACT' ? 'Jane Doe jane@example.org' : undefined),
    },
    jobs: jobStore(db, clock),
    ledger: filingLedger(db),
    clock,
    log: silentLog,
    source: client.source({ name: 'sec', hosts: provider.hosts, limits: provider.limits }),
    signal: end.signal,
    ingest,
  });
  const done = following.run();
  return {
    async close(): Promise<number> {
      end.abort();
      await done;
      await worker.stop();
      await db.close();
      return host.peakPerSecond();
    },
  };
}

/** Adds a thousand endpoints that watch twenty companies each. */
async function addEndpoints({
  cipher,
  port,
  companies,
  ...deps
}: EngineDeps & { cipher: SecretCipher; port: number; companies: number }): Promise<void> {
  const { db, clock } = deps;
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const endpointId = `ep${index}`;
    await addEndpoint(db, endpointId, { url: `http://127.0.0.1:${port}/${endpointId}` });
    const secret = { endpointId, role: 'current' as const, secret: 'whsec_bench' };
    await db.transaction((tx) => insertSecret(tx, cipher, { ...secret, now: clock.now() }));
    const count = watchedBy(companies);
    const watched = Array.from({ length: count }, (_, n) => (index * count + n) % companies);
    await subscribe(deps, endpointId, [...new Set(watched)].map(symbolOf));
  }
  await fanOutAll(deps);
}

function watchedBy(companies: number): number {
  return Math.max(1, Math.round((WATCHED * companies) / FILINGS));
}

function listOfCompanies(count: number, clock: Clock) {
  const data = Array.from({ length: count }, (_, index) => {
    return [Number(cikOf(index)), nameOf(index), symbolOf(index), 'Nasdaq'];
  });
  return createSourceResponse({
    url: 'https://www.sec.gov/files/company_tickers_exchange.json',
    status: 200,
    contentType: 'application/json',
    observedAt: clock.now() - 60_000,
    text: JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data }),
  });
}

function cikOf(index: number): string {
  return String(1_900_000 + index).padStart(10, '0');
}

/** Returns `HAA`, `HAB` …, because symbols have no digits. */
function symbolOf(index: number): string {
  return `H${letterOf(index / 26)}${letterOf(index)}`;
}

function nameOf(index: number): string {
  return `Heron ${symbolOf(index)} Instruments Inc.`;
}

function letterOf(value: number): string {
  return String.fromCharCode(65 + (Math.floor(value) % 26));
}
