import { symbolsWithoutResult, unsettledFilingPages } from '../datasets/earnings/store.ts';
import { loadDueReleases } from '../datasets/economic-events/awaited-figures.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { loadKnownCompanies, loadReporters } from '../datasets/securities/known-companies.ts';
import { addDays } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { Clock } from '../platform/clock.ts';
import { createHttpClient, type Dispatcher, type HttpClient } from '../platform/http-client.ts';
import type { Log } from '../platform/log.ts';
import type { LoopHealth } from '../platform/loop-health.ts';
import type { Random } from '../platform/random.ts';
import { ServerClocks } from '../platform/server-clocks.ts';
import { scrubUrl } from '../platform/scrub-url.ts';
import type { PlanContext, Provider, Scope } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { processName } from '../storage/folder/process-identity.ts';
import { filingLedger } from './filings/filing-ledger.ts';
import { type Ingest, SECRET_PARAMETERS } from './ingest.ts';
import { jobStore, sourceMemory } from './job-store.ts';
import { withLease } from './lease.ts';
import { redactingClient } from './redacting-client.ts';
import { createLiveFeeds, type LiveDeps, type LiveFeeds } from './live-feeds.ts';
import { createRunLog, failedRun } from './run-log.ts';
import type { OnWatchProgress } from './watched/watch-progress.ts';
import { watchedStore } from './watched/watched-store.ts';
import { checkSuddenlyEmpty } from './empty-response-guard.ts';

/** Companies that reported within this many days are fetched often. */
const REPORTER_DAYS_BACK = 5;
const REPORTER_DAYS_AHEAD = 1;
/** Date and estimates of a report are confirmed on pages about one company this many days before. */
const SOON_DAYS = 7;
/** Figures of releases that are at most this many days old are fetched if they are missing. */
const RELEASE_DAYS_BACK = 45;
/** Maximum age of a filing whose acceptance time is confirmed with a separate request. */
const UNVERIFIED_DAYS_BACK = 30;

export interface StartLiveOptions {
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  /** Returns the value of a source's setting, such as its API key or contact. */
  setting(name: string): string | undefined;
  providers: readonly Provider[];
  /** Receives the outcomes of the loops. */
  loops?: LoopHealth;
  ingest: Ingest;
  /** True to reject responses while the clock differs from those of the sources. */
  checksClock?: boolean | undefined;
  /** Companies that are fetched first. */
  watched?: { symbols: readonly string[]; onProgress: OnWatchProgress } | undefined;
  /** Stands in for the network, once the sources without one have filled the store. */
  simulation?: Dispatcher | undefined;
}

/** Creates live feeds for this store without starting them. */
export function startLiveFeeds(options: StartLiveOptions): {
  /** Resolves when the sources without a network have filled the store with their current state. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** See `LiveFeeds`. */
  cooldown: LiveFeeds['cooldown'];
  planContext: LiveDeps['planContext'];
} {
  const client = sourceClient(options);
  const deps = liveDeps(options, client);
  const feeds = createLiveFeeds(deps);
  return {
    cooldown: (provider) => feeds.cooldown(provider),
    planContext: deps.planContext,
    start() {
      feeds.start();
      return feeds.firstFill();
    },
    async stop() {
      await feeds.stop();
      await client.close();
    },
  };
}

/** Creates the HTTP client for all sources. The caller closes it. */
export function sourceClient(
  options: Pick<
    StartLiveOptions,
    'clock' | 'random' | 'providers' | 'setting' | 'simulation' | 'checksClock'
  >,
): HttpClient {
  const { clock, random, simulation, checksClock } = options;
  const dispatcher = simulation && { dispatcher: simulation };
  const serverClocks = checksClock === true && { serverClocks: new ServerClocks(clock) };
  const deps = { clock, random, ...dispatcher, ...serverClocks };
  return redactingClient(createHttpClient(deps), options);
}

/** Builds the dependencies of ingestion from the store and a client. */
export function liveDeps(options: StartLiveOptions, client: HttpClient): LiveDeps {
  const { db, clock, random, log, loops, providers } = options;
  const market = async (): Promise<MarketCalendar> => {
    const { overrides } = await loadMarketOverrides(db);
    return marketCalendar(overrides);
  };
  const lease = { db, clock, log, holder: processName() };
  const runs = createRunLog({ db, clock });
  return {
    providers,
    client,
    clock,
    random,
    log,
    loops,
    market,
    jobs: jobStore(db, clock),
    setting: (name) => options.setting(name),
    filingLedger,
    isLocalFirst: options.simulation !== undefined,
    ...(options.watched && { watched: { ...options.watched, storeOf: watchedStore } }),
    recordFailure: (provider, { url, ...failed }) =>
      runs.record(
        failedRun({
          ...failed,
          provider,
          url: scrubUrl(url, SECRET_PARAMETERS),
        }),
      ),
    async ingest(response, term, provider, { knownFrom } = {}) {
      const feed = provider.feeds.find((candidate) => candidate.claims(response));
      const guard = { db, market, provider: provider.name };
      const rejection =
        feed === undefined ? null : await checkSuddenlyEmpty({ ...guard, feed }, response);
      return options.ingest(response, {
        db: term.db,
        rejection: rejection ?? undefined,
        knownFrom,
      });
    },
    planContext: planContextOf(options),
    sourceMemory: (provider, term) => (host) => sourceMemory(term.db, provider, host),
    withLease: (name, signal, events) => withLease(lease, name, signal, events),
  };
}

/** Returns a function that loads the information needed to plan requests. */
export function planContextOf(options: ContextOptions): LiveDeps['planContext'] {
  return (scope) => planContext(options, scope);
}

type ContextOptions = Pick<StartLiveOptions, 'db' | 'clock' | 'setting'>;

async function planContext(
  { db, clock, setting }: ContextOptions,
  scope: Scope,
): Promise<PlanContext> {
  const now = clock.now();
  const today = newYorkDate(now);
  const companies =
    scope === 'all'
      ? await loadKnownCompanies(db)
      : await loadReporters(
          db,
          addDays(today, -REPORTER_DAYS_BACK),
          addDays(today, REPORTER_DAYS_AHEAD),
        );
  return {
    now,
    today,
    ...companies,
    symbolsAwaitingResult: await symbolsWithoutResult(
      db,
      addDays(today, -REPORTER_DAYS_BACK),
      today,
    ),
    symbolsReportingSoon: await symbolsWithoutResult(db, today, addDays(today, SOON_DAYS)),
    awaitedFigures: await loadDueReleases(db, {
      from: addDays(today, -RELEASE_DAYS_BACK),
      to: today,
      now,
    }),
    unverifiedFilingUrls: await unsettledFilingPages(db, addDays(today, -UNVERIFIED_DAYS_BACK)),
    setting,
  };
}
