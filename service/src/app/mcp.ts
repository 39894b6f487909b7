import type { FastifyInstance } from 'fastify';
import type { DatasetFreshness } from '../datasets/freshness/freshness.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { trustedProxies } from '../http/client-address.ts';
import { loadGuides } from '../http/guides/load-guides.ts';
import type { McpHandler } from '../http/mcp/mcp-handler.ts';
import { serveMcp } from '../http/mcp/serve-mcp.ts';
import type { ReadApi } from '../http/read-api.ts';
import { createRequestIds } from '../http/request/request-id.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import { cacheFor } from '../platform/cache-for.ts';
import type { AppContext } from './context.ts';
import type { ReadApiAccess } from './read-api.ts';

/** The freshness of the data sets changes with every update, but a few seconds do not matter. */
const FRESHNESS_MS = 10_000;

/** Adds `/mcp` to the routes. */
export async function addMcp(
  routes: FastifyInstance,
  app: Pick<AppContext, 'clock' | 'random' | 'log' | 'settings' | 'metrics' | 'security'>,
  parts: {
    access: ReadApiAccess;
    readApi: ReadApi;
    endpoints: readonly Endpoint[];
    dataSource: DataSource;
    publicUrl: string;
    brand: string;
    freshness: () => Promise<readonly DatasetFreshness[]>;
  },
): Promise<void> {
  const { clock, random, log, settings, metrics, security } = app;
  const { access, readApi, endpoints, dataSource, publicUrl, brand } = parts;
  const proxies = trustedProxies(settings.trustProxy ?? []);
  // An answer without sources is better than none while the store is unavailable.
  const freshness = cacheFor(FRESHNESS_MS, () => parts.freshness().catch(() => []), clock);
  let handler: Promise<McpHandler> | null = null;

  async function openHandler(): Promise<McpHandler> {
    const { openMcpHandler } = await import('../http/mcp/mcp-handler.ts');
    const guides = loadGuides();
    const now = () => clock.now();
    const isSynthetic = dataSource === 'synthetic';
    const shown = { endpoints, guides, publicUrl, brand, isSynthetic };
    return openMcpHandler({ ...shown, now, freshness, log });
  }

  await serveMcp(routes, {
    readApi,
    keys: access.keys,
    failedAuthLimiter: access.failedAuthLimiter,
    security,
    checkQuota: access.checkQuota,
    onRequestCompleted: metrics.requests.counting(access.onRequestCompleted),
    nextRequestId: createRequestIds(random),
    loadHandler: () => (handler ??= openHandler()),
    clock,
    log,
    publicUrl,
    addressOf: ({ socket, headers }) =>
      proxies.clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']),
  });
}
