import type { RequestListener } from 'node:http';
import { demoKey } from './accounts/keys/demo-key.ts';
import { nearestDayWithReports } from './datasets/earnings/store.ts';
import { loadMarketOverrides, MARKET_OVERRIDES_TOPIC } from './datasets/market-overrides/store.ts';
import { marketCalendar } from './domain/market/calendar.ts';
import { newYorkDate } from './domain/new-york.ts';
import { openBackOffice } from './back-office.ts';
import { configuredEndpoints } from './configured-endpoints.ts';
import { claimSandbox, configuredSources } from './configured-sources.ts';
import { openFrontDoor } from './front-door.ts';
import { createAnswerCache } from './http/answer-cache.ts';
import { createPages } from './http/pages.ts';
import { createReadApi } from './http/read-api.ts';
import { startServer } from './http/server.ts';
import { loadFreshness } from './ingest/freshness.ts';
import { createIngest } from './ingest/ingest.ts';
import { noteSources } from './ingest/note-sources.ts';
import { startLiveFeeds } from './ingest/start-live.ts';
import { followStaleTopics } from './ingest/stale-topics.ts';
import type { Clock } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import { systemRandom } from './platform/random.ts';
import type { Shutdown } from './platform/shutdown.ts';
import { licensedProviders } from './providers/licence.ts';
import { providers } from './providers/registry.gen.ts';
import type { Answer, Provider } from './providers/provider.ts';
import type { AnswerReport } from './ingest/report.ts';
import type { Settings } from './settings.ts';
import type { Db } from './storage/db.ts';
import { openStore } from './storage/open-store.ts';
import { unstatedUrl } from './settings-unstated-url.ts';
import { startWebhooks } from './start-webhooks.ts';
import { claimStore, storeFolder } from './store-claim.ts';
import type { StoreKind } from './store-claim.ts';
import type { WebhookWorker } from './webhooks/worker/start.ts';

export interface ServiceOptions {
  settings: Settings;
  kind: StoreKind;
  clock: Clock;
  log: Log;
  shutdown: Shutdown;
}

export interface Service {
  url: string;
  db: Db;
  /** Learns at once what another command changed in the store: keys, facts. */
  refresh(): Promise<void>;
  /** The key of a sandbox's demo customer; null on a live store. */
  demoKey: string | null;
  /** Opens the account of the first operator; null when there is one. */
  setupToken: string | null;
  /** Sources that are asked. */
  sources: readonly Provider[];
  ingest(answer: Answer): Promise<AnswerReport>;
  /** Starts asking the sources; resolves when those without a network have filled the store. */
  feed(): Promise<void>;
  /** A day to show first: today when something reports, else the nearest day with reports. */
  dayToShow(): Promise<string>;
  /** From now on `/readyz` says so. */
  markReady(): void;
}

const CACHE_BYTES_MAX = 256 * 1024 * 1024;

/** Builds the whole service in one process and lets it listen. Closers go to `shutdown`. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { settings, kind, clock, log, shutdown } = options;
  const random = systemRandom();
  const unstated = unstatedUrl(settings);
  if (unstated !== null) log.warn({ mend: unstated.mend }, unstated.problem);
  const folder = storeFolder(settings.dataDir, kind);
  const db = await openStore(
    settings.databaseUrl === null ? { folder } : { databaseUrl: settings.databaseUrl },
  );
  shutdown.register('store', () => db.close());
  await claimStore(db, kind, settings);
  if (kind === 'sandbox') await claimSandbox(db, settings);

  // It is told of what the rest does, and starts after what it needs.
  let webhooks: WebhookWorker | null = null;
  const cache = createAnswerCache({ sizeMaxBytes: CACHE_BYTES_MAX });
  const door = await openFrontDoor({ db, clock, log, isShared: settings.databaseUrl !== null });
  shutdown.register('front door', () => door.stop());
  const commits = await followStaleTopics({
    db,
    clock,
    log,
    onStale: (topics) => (topics === 'all' ? cache.invalidateAll() : cache.invalidate(topics)),
  });
  shutdown.register('commits', () => commits.stop());
  const sources = configuredSources(settings, kind, { clock, log });
  await noteSources(db, providers, sources);
  const ingest = createIngest({
    db,
    clock,
    providers: licensedProviders(providers, settings),
    onCommit: (topics) => {
      cache.invalidate(topics);
      webhooks?.wake();
    },
  });
  const live = startLiveFeeds({
    ...{ db, clock, random, log, ingest },
    providers: sources,
    setting: (name) => settings.sourceSettings.get(name),
  });
  let isReady = false;
  const dataSource = kind === 'sandbox' ? 'synthetic' : sources.length > 0 ? 'live' : 'recorded';
  const office = await openBackOffice({
    ...{ db, clock, random, log, door, settings, kind, dataSource },
    onCalendarChange: async () => cache.invalidate([MARKET_OVERRIDES_TOPIC]),
    wakeWebhooks: () => webhooks?.wake(),
  });
  webhooks = await startWebhooks({ db, clock, random, log, settings, box: office.box });
  shutdown.register('webhooks', webhooks.stop);
  const endpoints = configuredEndpoints(settings);
  const readApi = createReadApi({ endpoints, db, clock, random, cache, dataSource, log, ...door });
  // The pages show the address, which is known for sure only once the server listens.
  const pagesMade = Promise.withResolvers<RequestListener>();
  const server = await startServer({
    readApi,
    pages: (request, response) =>
      void pagesMade.promise.then((listener) => listener(request, response)),
    host: settings.host,
    port: settings.port,
    ...{ clock, log },
    trustProxy: settings.trustProxy ?? [],
  });
  const publicUrl = settings.publicUrl ?? server.url;
  const pages = await createPages({
    ...{ endpoints, dataSource, clock, log, publicUrl },
    extend: (app) => office.serve(app, publicUrl),
    brand: settings.brand ?? 'Afterbell',
    refuse: (refusal) => readApi.refuse(refusal),
    isReady: () => isReady,
    freshness: async () => {
      const { overrides } = await loadMarketOverrides(db);
      const market = marketCalendar(overrides);
      const isFed = sources.length > 0;
      return loadFreshness({ db, providers, isFed, market, now: clock.now() });
    },
  });
  pagesMade.resolve(pages.listener);
  shutdown.register('sources', () => live.stop());
  shutdown.register('server', async () => {
    await server.close();
    await pages.close();
  });
  return {
    url: server.url,
    db,
    refresh: async () => {
      await Promise.all([door.keys.refresh(), door.meter.refresh(), commits.pollNow()]);
    },
    demoKey: kind === 'sandbox' ? await freshDemoKey() : null,
    setupToken: office.setupToken,
    sources,
    ingest,
    feed: () => live.start(),
    async dayToShow() {
      const today = newYorkDate(clock.now());
      const day = await nearestDayWithReports(db, today);
      return day === null || day === today ? 'today' : day;
    },
    markReady: () => {
      isReady = true;
    },
  };

  async function freshDemoKey(): Promise<string> {
    const key = await demoKey({ db, clock, random, folder });
    await door.keys.refresh();
    return key;
  }
}
