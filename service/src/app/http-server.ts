import { demoKey } from '../accounts/keys/demo-key.ts';
import { loadFilingDelays } from '../datasets/filings/delays.ts';
import type { DatasetFreshness } from '../datasets/freshness/freshness.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { serveDashboard } from '../http/dashboard/serve-dashboard.ts';
import { createPages } from '../http/pages.ts';
import { addSecurityText } from '../http/pages/security-text.ts';
import type { ReadApi } from '../http/read-api.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import { type RunningServer, startServer } from '../http/server.ts';
import { loadFreshness } from '../ingest/freshness.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Provider } from '../providers/provider.ts';
import { providers } from '../providers/registry.gen.ts';
import { brandForHeaders } from '../webhooks/message/delivery-headers.ts';
import { templates } from '../webhooks/templates/registry.gen.ts';
import { openComputations } from './computations.ts';
import { openChangeStreams } from './change-streams.ts';
import type { AppContext } from './context.ts';
import type { IngestionView } from './ingestion.ts';
import { explainListenError } from './listen-error.ts';
import { createManagementApi, type ManagementApi } from './management-api.ts';
import { datasetsFolder } from './dataset-files.ts';
import { addMcp } from './mcp.ts';
import { startNightlyExport } from './nightly-export.ts';
import { configuredEndpoints, openAppAccess, openReadApi, type ReadApiAccess } from './read-api.ts';
import { isFirstOfNode } from './processes/node-process.ts';
import { openCachedReads } from './response-cache.ts';
import { bindPort, HTTP_SETTINGS } from './used-ports.ts';

export interface HttpService {
  url: string;
  /** API key of the sandbox's demo customer; null for a live store. */
  demoKey: string | null;
  /** One-time token that creates the first operator; null once an operator exists. */
  setupToken: string | null;
  /** Reloads everything that other processes have changed in the store: keys, counts and data. */
  refresh(): Promise<void>;
}

/**
 * Serves the read API, the management API and the pages. On shutdown, it reports that it is not
 * ready and keeps serving for `drainMs`, closing each connection after its response. Then it stops
 * listening.
 */
export async function startHttpService(
  app: AppContext,
  options: { cipher: SecretCipher; ingestion: IngestionView; drainMs: number },
): Promise<HttpService> {
  const { db, clock, random, log, settings, shutdown, kind, folder } = app;
  const { cipher, ingestion } = options;
  const address = await listenAddress(app);
  const publicUrl = settings.publicUrl ?? address.url;
  const datasets = datasetsFolder(settings, kind);
  const endpoints = configuredEndpoints(settings, datasets);
  const dataSource = dataSourceOf(app, ingestion);
  const { queue, checkCompute } = openComputations(app);
  const cachedReads = await openCachedReads(app, queue);
  const access = await openAppAccess(app);
  const streams = openChangeStreams(app, { access, cachedReads, dataSource });
  const reads = { access, cachedReads, checkCompute, endpoints, dataSource };
  const readApi = openReadApi(app, { ...reads, streams });
  const managementApi = await createManagementApi(app, {
    ...reads,
    queue,
    cipher,
    ingestion,
    publicUrl,
  });
  const pages = await createRoutes(app, {
    managementApi,
    access,
    readApi,
    endpoints,
    dataSource,
    ingestion,
    publicUrl,
  });
  // A restarted process must not report `starting` on the port that others keep serving.
  if (app.process !== null) app.readiness.markReady();
  const server = await listen(app, address.port, readApi, pages);
  shutdown.register('server', async () => {
    await server.drain(options.drainMs);
    streams.close();
    await server.close();
    await pages.close();
  });
  const sandboxKey = kind === 'sandbox' ? await demoKey({ db, clock, random, folder }) : null;
  await access.keys.refresh();
  if (isFirstOfNode(app.process)) startNightlyExport({ ...app, folder: datasets });
  log.debug({ event: 'process.listening', url: server.url }, 'serving HTTP');
  return {
    url: server.url,
    demoKey: sandboxKey,
    setupToken: managementApi.setupToken,
    async refresh() {
      await Promise.all([access.keys.refresh(), access.meter.refresh(), cachedReads.pollNow()]);
    },
  };
}

function dataSourceOf({ kind }: AppContext, { sources }: IngestionView): DataSource {
  if (kind === 'sandbox') return 'synthetic';
  return sources.length > 0 ? 'live' : 'recorded';
}

/** Creates the routes outside the read API: pages, health, dashboard and management API. */
function createRoutes(
  app: AppContext,
  parts: {
    managementApi: ManagementApi;
    access: ReadApiAccess;
    readApi: ReadApi;
    endpoints: readonly Endpoint[];
    dataSource: DataSource;
    ingestion: IngestionView;
    publicUrl: string;
  },
): ReturnType<typeof createPages> {
  const { db, clock, random, log, settings, readiness, metrics } = app;
  const { managementApi, readApi, endpoints, dataSource, ingestion, publicUrl } = parts;
  const brand = settings.brand ?? 'Afterbell';

  async function loadMarket(): Promise<MarketCalendar> {
    const { overrides } = await loadMarketOverrides(db);
    return marketCalendar(overrides);
  }

  async function freshnessOf(sources: readonly Provider[]): Promise<DatasetFreshness[]> {
    const market = await loadMarket();
    const { sources: enabled } = ingestion;
    return loadFreshness({ db, providers: sources, enabled, market, now: clock.now() });
  }

  // Includes only sources that are currently fetched, because any other source cannot make a data
  // set late.
  metrics.freshness(() => freshnessOf(ingestion.sources));
  metrics.filings(() => loadFilingDelays(db, clock.now()));
  return createPages({
    endpoints,
    templates,
    dataSource,
    clock,
    log,
    publicUrl,
    brand,
    headerBrand: brandForHeaders(settings.brand),
    extend: async (routes) => {
      serveDashboard(routes, { random, brand, headerBrand: brandForHeaders(settings.brand) });
      const { securityContact: contact } = settings;
      if (contact !== null) addSecurityText(routes, { contact, publicUrl, clock });
      await managementApi.serve(routes);
      await addMcp(routes, app, { ...parts, brand, freshness: () => freshnessOf(providers) });
    },
    reject: (refusal) => readApi.reject(refusal),
    isReady: readiness.isStarted,
    readiness: readiness.state,
    cell: readiness.cell,
    market: loadMarket,
    freshness: () => freshnessOf(providers),
    filings: () => loadFilingDelays(db, clock.now()),
  });
}

function listen(
  { settings, clock, log, metrics, shutdown, process }: AppContext,
  port: number,
  readApi: ReadApi,
  pages: Awaited<ReturnType<typeof createPages>>,
): Promise<RunningServer> {
  return startServer({
    readApi,
    pages: metrics.requests.pages(pages.listener),
    clock,
    log,
    host: settings.host,
    port,
    reusePort: process !== null,
    trustProxy: settings.trustProxy ?? [],
    closing: shutdown.signal,
  }).catch((error: unknown) => {
    throw explainListenError(error, {
      ...settings,
      settings: HTTP_SETTINGS,
      otherPort: settings.metricsPort,
    });
  });
}

/**
 * Returns the port and URL at which the server will listen. If PORT is 0, chooses a free port
 * before the pages are created, because they contain the URL.
 */
async function listenAddress({
  settings,
}: Pick<AppContext, 'settings'>): Promise<{ port: number; url: string }> {
  const { host } = settings;
  const port =
    settings.port === 0
      ? await bindPort({ host, port: 0, settings: HTTP_SETTINGS })
      : settings.port;
  return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}
