import type { RequestListener } from 'node:http';
import { demoKey } from '../accounts/keys/demo-key.ts';
import { type ManagementApi, createManagementApi } from './management-api.ts';
import { configuredEndpoints } from './configured-endpoints.ts';
import { MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type ReadApiAccess, openReadApiAccess } from './read-api.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import { createReadApi, type ReadApi } from '../http/read-api.ts';
import { type RunningServer, startServer } from '../http/server.ts';
import { decideQuarantined } from '../ingest/decide-quarantined.ts';
import { createGatherer } from '../ingest/gatherer.ts';
import { throttle } from '../platform/throttle.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import { providers } from '../providers/registry.gen.ts';
import type { AppContext } from './context.ts';
import type { IngestionView } from './ingestion.ts';
import { type CachedReads, openCachedReads } from './response-cache.ts';
import { notListening } from './listen-error.ts';
import { createWebRoutes } from './web-routes.ts';

export interface HttpService {
  url: string;
  /** The key of a sandbox's demo customer; null on a live store. */
  demoKey: string | null;
  /** Opens the account of the first operator; null when there is one. */
  setupToken: string | null;
  /** Learns at once what another process changed in the store: keys, facts. */
  refresh(): Promise<void>;
}

/** Keys are read again so often at most, while they change all the time. */
const KEYS_MS = 100;

/**
 * The part that answers HTTP: read interface, management, pages. Told to end, it is not ready at
 * once, answers on for `drainMs`, each time closing the connection, and then stops listening.
 */
export async function startHttpService(
  base: AppContext,
  {
    cipher,
    gathering,
    drainMs,
  }: { cipher: SecretCipher; gathering: IngestionView; drainMs: number },
): Promise<HttpService> {
  const { db, clock, random, log, settings, shutdown } = base;
  const kept = await openCachedReads(base);
  const door = await openDoor(base);
  const parts: Parts = {
    cipher,
    gathering,
    kept,
    door,
    endpoints: configuredEndpoints(settings),
    dataSource: dataSourceOf(base, gathering),
  };
  const office = await openOffice(base, parts);
  const readApi = openReadApi(base, parts);
  // The pages show the address, which is known for sure only once the server listens.
  const pagesMade = Promise.withResolvers<RequestListener>();
  const server = await listen(base, readApi, pagesMade.promise);
  const site = await createWebRoutes(base, { ...parts, office, readApi, url: server.url });
  pagesMade.resolve(site.listener);
  shutdown.register('server', async () => {
    await server.drain(drainMs);
    await server.close();
    await site.close();
  });
  const { folder } = base;
  const isSandbox = base.kind === 'sandbox';
  const shownKey = isSandbox ? await demoKey({ db, clock, random, folder }) : null;
  await door.keys.refresh();
  log.debug({ url: server.url }, 'serving');
  return {
    url: server.url,
    demoKey: shownKey,
    setupToken: office.setupToken,
    refresh: async () => {
      await Promise.all([door.keys.refresh(), door.meter.refresh(), kept.pollNow()]);
    },
  };
}

interface Parts {
  cipher: SecretCipher;
  gathering: IngestionView;
  kept: CachedReads;
  door: ReadApiAccess;
  endpoints: readonly Endpoint[];
  dataSource: DataSource;
}

async function openDoor({
  db,
  clock,
  log,
  settings,
  notifications: hints,
  shutdown,
}: AppContext): Promise<ReadApiAccess> {
  const door = await openReadApiAccess({ db, clock, log, isShared: settings.databaseUrl !== null });
  // What fails here the ring's own polling says, and mends.
  const keys = throttle(clock, KEYS_MS, () => door.keys.refresh().catch(() => undefined));
  hints.subscribe({ onKeysChanged: keys.trigger });
  shutdown.register('front door', () => {
    keys.stop();
    return door.stop();
  });
  return door;
}

function dataSourceOf({ kind }: AppContext, { sources }: IngestionView): DataSource {
  if (kind === 'sandbox') return 'synthetic';
  return sources.length > 0 ? 'live' : 'recorded';
}

function openOffice(base: AppContext, parts: Parts): Promise<ManagementApi> {
  const { db, clock, random, log, settings, kind, notifications: hints } = base;
  const { cipher: box, door, endpoints, dataSource, gathering } = parts;
  const { cache } = parts.kept;
  const { sources: inUse, planContext, resting } = gathering;
  return createManagementApi({
    db,
    clock,
    random,
    log,
    cipher: box,
    door,
    settings,
    kind,
    dataSource,
    endpoints,
    cache,
    gatherer: createGatherer({
      db,
      clock,
      random,
      providers,
      inUse,
      planContext,
      resting,
      setting: (name) => settings.sourceSettings.get(name),
    }),
    decideQuarantined: (entry, also) =>
      decideQuarantined(
        {
          db,
          onCommit: hints.notifyCommitted,
        },
        entry,
        also,
      ),
    onCalendarChange: async () => cache.invalidate([MARKET_OVERRIDES_TOPIC]),
    wakeWebhooks: hints.notifyDeliveriesDue,
  });
}

function openReadApi(base: AppContext, { endpoints, kept, dataSource, door }: Parts): ReadApi {
  const { db, clock, random, log, metrics: measured } = base;
  return measured.requests.readApi(
    createReadApi({
      endpoints,
      db,
      clock,
      random,
      dataSource,
      log,
      ...door,
      cache: kept.cache,
      reads: kept.reads,
      onRequestCompleted: measured.requests.counting(door.observe),
    }),
  );
}

function listen(
  { settings, clock, log, metrics: measured, shutdown }: AppContext,
  readApi: ReadApi,
  pages: Promise<RequestListener>,
): Promise<RunningServer> {
  return startServer({
    readApi,
    pages: measured.requests.pages(
      (request, response) => void pages.then((listener) => listener(request, response)),
    ),
    clock,
    log,
    host: settings.host,
    port: settings.port,
    trustProxy: settings.trustProxy ?? [],
    closing: shutdown.signal,
  }).catch((error: unknown) => {
    throw notListening(error, settings);
  });
}
