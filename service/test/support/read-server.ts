import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { ApiKey } from '../../src/accounts/keys/api-key.ts';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { type ApiKeyCache, fixedApiKeyCache } from '../../src/accounts/keys/api-key-cache.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import { marketCalendar } from '../../src/domain/market/calendar.ts';
import { trustedProxies } from '../../src/http/client-address.ts';
import { loadGuides } from '../../src/http/guides/load-guides.ts';
import type { McpCatalogOptions } from '../../src/http/mcp/mcp-server.ts';
import { serveMcp, type ServeMcpOptions } from '../../src/http/mcp/serve-mcp.ts';
import { noQuota } from '../../src/http/quota.ts';
import { NO_FAILED_AUTH_LIMIT } from '../../src/http/request/authenticate.ts';
import { createRequestIds } from '../../src/http/request/request-id.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { createPages, type PagesOptions } from '../../src/http/pages.ts';
import type { ServerLimits } from '../../src/http/limits.ts';
import { createReadApi, type ReadApi } from '../../src/http/read-api.ts';
import type { ReadApiOptions } from '../../src/http/read-api-options.ts';
import { startServer } from '../../src/http/server.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import { memoryLog } from './logs.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { FairQueue } from '../../src/platform/fair-queue.ts';
import type { Queryable } from '../../src/storage/db.ts';
import { keyRecordOf } from './key-record.ts';
import { stubWorld } from './stub-endpoints.ts';

export const START_AT = Date.UTC(2026, 10, 20, 15, 30, 0);

interface Options {
  limits?: Partial<ServerLimits>;
  trustProxy?: readonly string[];
  checkQuota?: NonNullable<ReadApiOptions['checkQuota']>;
  checkCompute?: NonNullable<ReadApiOptions['checkCompute']>;
  /** Queue for computations. By default, they all run at once. */
  queue?: FairQueue;
  /** Store for the endpoints. By default, every query fails. */
  db?: Queryable;
  onRequestCompleted?: NonNullable<ReadApiOptions['onRequestCompleted']>;
  allowsKeysInUrls?: boolean;
  failedAuthLimiter?: NonNullable<ReadApiOptions['failedAuthLimiter']>;
  /** Replaces the default clock. */
  clock?: FakeClock;
  /** Replaces the default keys. */
  keyRing?: ApiKeyCache;
  /** Endpoints to add to the stub endpoints. */
  endpoints?: readonly Endpoint[];
  isReady?: () => boolean;
  isStoreHealthy?: () => boolean;
  freshness?: PagesOptions['freshness'];
  /** Freshness that MCP answers are based on. */
  mcpFreshness?: McpCatalogOptions['freshness'];
  filings?: PagesOptions['filings'];
}

/** Starts a real server on a free port with stub endpoints and one key in each state. */
export async function startReadServer(options: Options = {}) {
  const clock = options.clock ?? fakeClock(START_AT);
  const world = stubWorld();
  world.endpoints = [...world.endpoints, ...(options.endpoints ?? [])];
  const log = memoryLog();
  const { keys, ring } = stubKeys();
  const cache = new ResponseCache({
    sizeMaxBytes: 10_000_000,
    ...(options.queue === undefined ? {} : { queue: options.queue }),
  });
  const { limits, trustProxy } = options;
  const parts = { endpoints: world.endpoints, keys: options.keyRing ?? ring, clock, log };
  const readApi = createStubReadApi(options, { ...parts, cache });
  const pages = await createStubPages(options, { ...parts, readApi });
  const server = await startServer({
    readApi,
    pages: pages.listener,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock(),
    log,
    ...(limits === undefined ? {} : { limits }),
    ...(trustProxy === undefined ? {} : { trustProxy }),
  });
  const port = Number(new URL(server.url).port);
  const stop = async (): Promise<void> => {
    await server.close(0);
    await pages.close();
  };
  return {
    clock,
    world,
    log,
    keys,
    cache,
    readApi,
    server,
    port,
    stop,
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      send(port, { path, headers, method }),
    post: (path: string, headers: Record<string, string>, body: string) =>
      send(port, { path, headers, body, method: 'POST' }),
    raw: (text: string | Buffer) => sendRaw(port, text),
  };
}

function createStubReadApi(
  options: Options,
  parts: Pick<ReadApiOptions, 'endpoints' | 'keys' | 'clock' | 'log' | 'cache'>,
): ReadApi {
  const { checkQuota, checkCompute, onRequestCompleted, failedAuthLimiter } = options;
  return createReadApi({
    allowsKeysInUrls: options.allowsKeysInUrls,
    ...parts,
    db: options.db ?? { query: () => Promise.reject(new Error('no store in this test')) },
    random: seededRandom(1),
    dataSource: 'synthetic',
    ...(checkQuota === undefined ? {} : { checkQuota }),
    ...(checkCompute === undefined ? {} : { checkCompute }),
    ...(onRequestCompleted === undefined ? {} : { onRequestCompleted }),
    ...(failedAuthLimiter === undefined ? {} : { failedAuthLimiter }),
  });
}

interface PagesParts {
  endpoints: readonly Endpoint[];
  keys: ApiKeyCache;
  readApi: ReadApi;
  clock: FakeClock;
  log: ReturnType<typeof memoryLog>;
}

/** Creates the pages, and MCP with the limits of the read API. */
function createStubPages(options: Options, parts: PagesParts): ReturnType<typeof createPages> {
  return createPages({
    ...pagesOptions(options),
    endpoints: parts.endpoints,
    templates: [],
    log: parts.log,
    clock: parts.clock,
    reject: (refusal) => parts.readApi.reject(refusal),
    extend: (routes) => serveMcp(routes, mcpOptions(options, parts)),
  });
}

function mcpOptions(options: Options, parts: PagesParts): ServeMcpOptions {
  const { endpoints, keys, readApi, clock, log } = parts;
  const { publicUrl, brand } = pagesOptions(options);
  const proxies = trustedProxies(options.trustProxy ?? []);
  const freshness = options.mcpFreshness ?? (async () => []);
  return {
    keys,
    readApi,
    failedAuthLimiter: options.failedAuthLimiter ?? NO_FAILED_AUTH_LIMIT,
    checkQuota: options.checkQuota ?? noQuota,
    onRequestCompleted: options.onRequestCompleted ?? (() => undefined),
    nextRequestId: createRequestIds(seededRandom(2)),
    loadHandler: async () => {
      const { openMcpHandler } = await import('../../src/http/mcp/mcp-handler.ts');
      const guides = loadGuides();
      const shown = { endpoints, guides, publicUrl, brand, isSynthetic: true, freshness };
      return openMcpHandler({ ...shown, now: () => clock.now(), log });
    },
    publicUrl,
    clock,
    log,
    addressOf: ({ socket, headers }) =>
      proxies.clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']),
  };
}

const UNKNOWN = { p50: null, p95: null };
const NO_DELAYS = { filings: 0, seen: UNKNOWN, served: UNKNOWN, posted: UNKNOWN };

function pagesOptions(options: Options) {
  const { isReady = () => true, isStoreHealthy = () => true, freshness, filings } = options;
  return {
    publicUrl: 'http://data.example',
    brand: 'Service',
    headerBrand: 'Acme-Data',
    dataSource: 'synthetic',
    isReady,
    readiness: () => {
      if (!isReady()) return 'starting';
      return isStoreHealthy() ? 'ready' : 'not ready';
    },
    freshness: freshness ?? (async () => []),
    filings: filings ?? (async () => ({ last200: NO_DELAYS, days90: NO_DELAYS })),
    market: async () => marketCalendar(),
  } as const satisfies Partial<PagesOptions>;
}

export type ReadServer = Awaited<ReturnType<typeof startReadServer>>;

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  json(): Record<string, unknown>;
}

/** Sends one request with exactly the given path. */
export function send(
  port: number,
  options: { path: string; method?: string; headers?: Record<string, string>; body?: string },
): Promise<Reply> {
  const { path, method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const content = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: content,
          json: () => JSON.parse(content.toString()) as Record<string, unknown>,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends raw bytes and returns everything received until the server closes the connection. */
function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

const PRO = { name: 'pro', perMinute: 300, perDay: null, perMonth: null, historyMonths: null };

function stubKeys() {
  const random = seededRandom(42);
  const records: ApiKey[] = [];
  function add(change: Partial<ApiKey> = {}): string {
    const key = generateKey('test', random);
    const id = `key_${records.length}`;
    records.push(keyRecordOf(key, { id, createdAt: START_AT - 1_000, ...change }));
    return key;
  }
  const keys = {
    good: add(),
    other: add({ customerId: 'cus_2' }),
    expired: add({ expiresAt: START_AT }),
    disabled: add({ disabledAt: START_AT }),
    revoked: add({ revokedAt: START_AT }),
    suspended: add({ suspendedAt: START_AT }),
    otherAddress: add({ allowedCidrs: ['198.51.100.0/24'] }),
    manageOnly: add({ scopes: ['manage'] }),
    short: add({ plan: { ...PRO, name: 'short', historyMonths: 24 } }),
    unknown: generateKey('test', random),
  };
  return { keys, ring: fixedApiKeyCache(records) };
}
