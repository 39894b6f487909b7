import type { RequestListener } from 'node:http';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { sessionAt } from '../domain/market/sessions.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { singleFlight } from '../platform/single-flight.ts';
import type { HttpResponse } from './response/http-response.ts';
import type { DataSource } from './response/cached-response.ts';
import { type CellReport, readyResponse, type ReadyState } from './readiness.ts';
import { ROUTER_OPTIONS } from './limits.ts';
import { type Guide, loadGuides } from './guides/load-guides.ts';
import { serveGuides } from './guides/serve-guides.ts';
import type { Template } from '../webhooks/templates/template.ts';
import { printOpenApi } from './openapi/openapi-document.ts';
import { addText } from './pages/add-text.ts';
import { DOCS_CSP, loadDocsScript, renderDocs } from './pages/docs-page.ts';
import { renderErrorPage, renderNotFound } from './pages/error-page.ts';
import { PAGE_CSP } from './pages/html.ts';
import { renderLanding } from './pages/landing.ts';
import { renderLlmsText } from './pages/llms-text.ts';
import { rejectOtherMethods } from './pages/reject-other-methods.ts';
import { DOCS_STYLE } from './pages/nav-style.ts';
import { FAVICON, SITE_STYLE } from './pages/site-style.ts';
import {
  type FilingDelayReport,
  type Freshness,
  renderStatus,
  statusJson,
  type StatusReport,
} from './pages/status.ts';
import { problem, type Problem } from './problems.ts';
import { chooseEncoding, prefersHtml } from './request/accept.ts';

export interface PagesOptions {
  endpoints: readonly Endpoint[];
  templates: readonly Template[];
  /** Base URL for documentation and links, without a trailing slash. */
  publicUrl: string;
  brand: string;
  /** Brand as it appears in webhook header names. */
  headerBrand: string;
  dataSource: DataSource;
  clock: Clock;
  log: Log;
  reject: (refusal: Problem) => HttpResponse;
  /** True once startup is complete. */
  isReady: () => boolean;
  /**
   * Returns the state reported by `/readyz`. By default, the process is ready once startup is
   * complete.
   */
  readiness?: () => ReadyState;
  /** Returns the state of the cell, or null if the store is not one. */
  cell?: () => CellReport | null;
  freshness: () => Promise<readonly Freshness[]>;
  filings: () => Promise<FilingDelayReport>;
  /** Returns the trading days, including operator overrides. */
  market: () => Promise<MarketCalendar>;
  /** Adds the routes of other modules before the server starts. */
  extend?: (app: FastifyInstance) => void | Promise<void>;
}

/**
 * Creates every page that requires no API key: the OpenAPI document, docs, health, status and the
 * routes of other modules.
 */
export async function createPages(
  options: PagesOptions,
): Promise<{ listener: RequestListener; close(): Promise<void> }> {
  const { log, reject, publicUrl } = options;
  const app = fastify({
    logger: false,
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: (_error, request, reply) => void sendNotFound(request, reply, options),
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(PAGE_HEADERS);
    if (publicUrl.startsWith('https:')) reply.headers(STRICT_TRANSPORT);
  });
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, options));
  app.setErrorHandler((error, request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number };
    // Fastify itself raises these errors for a body sent to a page that accepts none.
    if (statusCode < 500) return sendResponse(reply, reject(UNEXPECTED_BODY));
    const { url: route } = request.routeOptions;
    log.error({ event: 'http.request_failed', err: error, route }, 'page request failed');
    return sendResponse(reply, reject(INTERNAL_ERROR));
  });
  const rejectAll = rejectOtherMethods(app, (reply, refusal) =>
    sendResponse(reply, reject(refusal)),
  );
  const guides = loadGuides();
  addStaticPages(app, options, guides);
  addHealth(app, options);
  addStatus(app, options);
  serveGuides(app, { guides, brand: options.brand });
  addDocs(app, options);
  await options.extend?.(app);
  rejectAll();
  await app.ready();
  return {
    listener: (request, response) => app.routing(request, response),
    close: () => app.close(),
  };
}

/** Browsers that have seen the service over TLS do not contact it in clear text for a year. */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' };
const PAGE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': PAGE_CSP,
};
const NOT_FOUND = problem('not-found', 'Unknown path. See /docs for the available endpoints.');
const UNEXPECTED_BODY = problem('invalid-parameter', 'A page request must not have a body.', {
  members: { parameter: 'body' },
});
const INTERNAL_ERROR = problem(
  'internal-error',
  'The page failed because of an error on our side. Quote `instance` when you contact support.',
);

function addStaticPages(
  app: FastifyInstance,
  options: PagesOptions,
  guides: readonly Guide[],
): void {
  const json = 'application/json';
  const isSynthetic = options.dataSource === 'synthetic';
  const html = 'text/html; charset=utf-8';
  addText(app, '/', html, renderLanding(options));
  addText(app, '/site.css', 'text/css; charset=utf-8', SITE_STYLE);
  addText(app, '/docs/bar.css', 'text/css; charset=utf-8', DOCS_STYLE);
  addText(app, '/favicon.svg', 'image/svg+xml', FAVICON);
  addText(
    app,
    '/llms.txt',
    'text/plain; charset=utf-8',
    renderLlmsText({ ...options, guides, isSynthetic }),
  );
  addText(app, '/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /v1/\n');
  addText(
    app,
    '/openapi.json',
    json,
    `${JSON.stringify(printOpenApi({ ...options, isSynthetic }))}\n`,
    {
      'Access-Control-Allow-Origin': '*',
    },
  );
  app.get<{ Params: { code: string } }>('/errors/:code', (request, reply) => {
    const page = renderErrorPage(request.params.code, options.brand);
    return page === null ? sendNotFound(request, reply, options) : reply.type(html).send(page);
  });
}

function addHealth(app: FastifyInstance, options: PagesOptions): void {
  app.get('/healthz', (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', (_request, reply) => {
    const ready = readyResponse(
      options.readiness?.() ?? (options.isReady() ? 'ready' : 'starting'),
      options.cell?.(),
    );
    return reply.code(ready.status).headers(ready.headers).send(ready.body);
  });
}

function addStatus(app: FastifyInstance, options: PagesOptions): void {
  const { clock, brand } = options;
  const startedMs = clock.monotonicMs();
  // Concurrent requests share one report, because anyone may poll the status page and each report
  // queries the store.
  const report = singleFlight(() => loadStatus(options, startedMs));
  app.get('/status', async (request, reply) => {
    const status = await report();
    reply.headers({ 'Cache-Control': 'no-store', Vary: 'Accept' });
    if (!prefersHtml(request.headers.accept ?? '')) {
      return reply.header('Access-Control-Allow-Origin', '*').send(statusJson(status));
    }
    return reply.type('text/html; charset=utf-8').send(renderStatus(status, brand));
  });
}

/**
 * Loads the status report. If the store is unavailable, the report omits its data, because people
 * need this page most when something is wrong.
 */
async function loadStatus(options: PagesOptions, startedMs: number): Promise<StatusReport> {
  const { clock, dataSource, log } = options;
  const now = clock.now();
  const loading = [options.freshness(), options.market(), options.filings()] as const;
  const loaded = await Promise.all(loading).catch((error: unknown) => {
    log.error({ event: 'store.unavailable', err: error }, 'status report unavailable');
    return null;
  });
  const [datasets, market, filings] = loaded ?? [null, marketCalendar(), null];
  return {
    dataSource,
    now,
    datasets,
    filings,
    isStarted: options.isReady(),
    uptimeSeconds: Math.floor((clock.monotonicMs() - startedMs) / 1e3),
    market: sessionAt(market, now),
  };
}

function addDocs(app: FastifyInstance, options: PagesOptions): void {
  const page = renderDocs(options.brand);
  addText(app, '/docs', 'text/html; charset=utf-8', page, { 'Content-Security-Policy': DOCS_CSP });
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/reference.js', async (request, reply) => {
    const encodings = await loadDocsScript();
    const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '');
    reply.headers({ 'Cache-Control': 'public, max-age=86400', Vary: 'Accept-Encoding' });
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.type('text/javascript; charset=utf-8').send(encodings.get(encoding));
  });
}

/** Matches API paths, where browsers receive the same problem document as programs. */
const API_PATH = /^\/(?:v1|account|operator)(?:[/?]|$)/;

/** Sends an HTML page to browsers and a problem document to programs. */
function sendNotFound(
  { method, headers, url }: FastifyRequest,
  reply: FastifyReply,
  { brand, reject }: PagesOptions,
): FastifyReply {
  reply.header('Vary', 'Accept');
  const isPage = (method === 'GET' || method === 'HEAD') && !API_PATH.test(url);
  if (!isPage || !prefersHtml(headers.accept ?? '')) return sendResponse(reply, reject(NOT_FOUND));
  // Fastify runs no hooks for a malformed URL, so these headers are set here.
  reply.headers({ ...PAGE_HEADERS, 'Cache-Control': 'no-store' });
  return reply.code(404).type('text/html; charset=utf-8').send(renderNotFound(brand));
}

function sendResponse(reply: FastifyReply, response: HttpResponse): FastifyReply {
  for (let index = 0; index < response.headers.length; index += 2) {
    reply.header(response.headers[index] ?? '', response.headers[index + 1]);
  }
  return reply.code(response.status).send(response.body);
}
