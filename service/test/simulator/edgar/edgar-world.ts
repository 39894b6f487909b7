import type { ReportFilings } from '../../../src/providers/sandbox/edgar/market-filings.ts';
import {
  createSimulatedEdgar,
  type SimulatedEdgar,
} from '../../../src/providers/sandbox/edgar/simulated-edgar.ts';
import { EDGAR_FAULTS } from '../../../src/providers/sandbox/edgar/faults.ts';
import type { SimulatedFiling } from '../../../src/providers/sandbox/edgar/filing.ts';
import { type Cycle, cycleOf } from '../../../src/providers/sandbox/market/trading-days.ts';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import { newYorkDate } from '../../../src/domain/new-york.ts';
import { filingLedger } from '../../../src/ingest/filings/filing-ledger.ts';
import { followFilings } from '../../../src/ingest/filings/follow-filings.ts';
import { createIngest, type Ingest } from '../../../src/ingest/ingest.ts';
import { jobStore } from '../../../src/ingest/job-store.ts';
import { createHttpClient } from '../../../src/platform/http-client.ts';
import type { Instant } from '../../../src/platform/instant.ts';
import { LocalDispatcher } from '../../../src/platform/local-dispatcher.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import { createSourceResponse } from '../../../src/providers/source-response.ts';
import { provider } from '../../../src/providers/sec/index.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { toReply } from '../../support/hosts/edgar-host.ts';
import { silentLog } from '../../support/logs.ts';
import type { InlineStore } from '../world/inline-store.ts';

/** A report whose filings the service follows. */
export interface FollowedReport extends ReportFilings {
  index: number;
  cycle: Cycle;
}

/** The real reader of EDGAR beside a simulated EDGAR with all its faults. */
export interface EdgarWorld {
  store: InlineStore;
  edgar: SimulatedEdgar;
  clock: FakeClock;
  /** Reports whose results were accepted while the service followed. */
  reports: FollowedReport[];
  startedAt: Instant;
}

/** 05:50 in New York on a Tuesday in earnings season. */
const START = Date.parse('2026-11-03T10:50:00Z');
const DAY_MS = 86_400_000;
const STEP_MS = 10_000;
const SETTINGS: Readonly<Record<string, string>> = {
  SEC_CONTACT: 'Jane Doe jane@example.org',
  SEC_FEED_SECONDS: '30',
};
const DATA = 'https://data.sec.gov';

/**
 * Follows the simulated EDGAR for some days, from a store that knows the reporting companies' earlier
 * filings. Two weeks later, the XBRL facts of their quarterly reports arrive.
 */
export async function runEdgar(
  store: InlineStore,
  { seed, days, companies }: { seed: number; days: number; companies: number },
): Promise<EdgarWorld> {
  const { isTradingDay } = marketCalendar();
  const faults = new Set(EDGAR_FAULTS);
  const edgar = createSimulatedEdgar({ seed, companies, isTradingDay, faults });
  const clock = fakeClock(START);
  const ingest = createIngest({
    db: store,
    clock,
    providers: [provider],
    onCommit: () => undefined,
  });
  const reports = reportsBetween(edgar, START, START + days * DAY_MS);
  const fetchPages = (): Promise<void> => fetchCompanies({ edgar, clock, ingest }, reports);
  await fetchPages();
  const end = new AbortController();
  const following = follow({ store, edgar, clock, ingest, signal: end.signal });
  await advance(store, clock, days * DAY_MS);
  end.abort();
  await advance(store, clock, STEP_MS);
  await following;
  await clock.advance(14 * DAY_MS);
  await fetchPages();
  return { store, edgar, clock, reports, startedAt: START };
}

function reportsBetween(edgar: SimulatedEdgar, from: Instant, to: Instant): FollowedReport[] {
  const cycle = cycleOf(newYorkDate(from));
  return edgar.market.companies.flatMap(({ index }) => {
    const filings = edgar.filings.ofReport(index, cycle);
    const { acceptedAt } = filings.results;
    return acceptedAt >= from && acceptedAt < to ? [{ ...filings, index, cycle }] : [];
  });
}

/** Ingests the list of companies and the pages of those that report. */
async function fetchCompanies(
  { edgar, clock, ingest }: { edgar: SimulatedEdgar; clock: FakeClock; ingest: Ingest },
  reports: readonly FollowedReport[],
): Promise<void> {
  const ciks = reports.map(({ results }) => results.cik);
  const urls = [
    'https://www.sec.gov/files/company_tickers_exchange.json',
    ...ciks.map((cik) => `${DATA}/submissions/CIK${cik}.json`),
    ...ciks.map((cik) => `${DATA}/api/xbrl/companyfacts/CIK${cik}.json`),
  ];
  for (const url of urls) {
    const reply = edgar.respond(new URL(url), clock.now());
    if (reply === 'hang') throw new Error(`no page ${url}`);
    const { status, contentType, body: text } = reply;
    const observedAt = clock.now();
    await ingest(createSourceResponse({ url, status, contentType, observedAt, text }));
  }
}

function follow({
  store,
  edgar,
  clock,
  ingest,
  signal,
}: {
  store: InlineStore;
  edgar: SimulatedEdgar;
  clock: FakeClock;
  ingest: Ingest;
  signal: AbortSignal;
}): Promise<void> {
  const { follower } = provider;
  if (follower === undefined) throw new Error('sec has no follower');
  const dispatcher = new LocalDispatcher(({ url }) => toReply(edgar.respond(url, clock.now())));
  const client = createHttpClient({ clock, random: seededRandom(1), dispatcher });
  const following = followFilings({
    name: 'sec',
    follower,
    settings: { setting: (name) => SETTINGS[name] },
    jobs: jobStore(store, clock),
    ledger: filingLedger(store),
    clock,
    log: silentLog,
    source: client.source({ name: 'sec', hosts: provider.hosts, limits: provider.limits }),
    signal,
    ingest,
  });
  return following.run();
}

/** Advances the clock in steps, after each of which the store finishes its work. */
async function advance(store: InlineStore, clock: FakeClock, durationMs: number): Promise<void> {
  for (let doneMs = 0; doneMs < durationMs; doneMs += STEP_MS) {
    await clock.advance(STEP_MS);
    while (store.isBusy()) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the filings of a report whose documents are read. */
export function followedFilings({ results, amendment }: ReportFilings): SimulatedFiling[] {
  return amendment === null ? [results] : [results, amendment];
}
