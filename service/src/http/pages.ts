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
import { readyResponse, type ReadyState } from './readiness.ts';
import { type Guide, loadGuides } from './guides/load-guides.ts';
import { serveGuides } from './guides/serve-guides.ts';
import { printOpenApi } from './openapi/openapi-document.ts';
import { addText } from './pages/add-text.ts';
import { DOCS_CSP, loadDocsScript, renderDocs } from './pages/docs-page.ts';
import { renderErrorPage } from './pages/error-page.ts';
import { PAGE_CSP } from './pages/html.ts';
import { renderLanding } from './pages/landing.ts';
import { renderLlmsText } from './pages/llms-text.ts';
import { renderNotFound } from './pages/not-found-page.ts';
import { rejectOtherMethods } from './pages/reject-other-methods.ts';
import { DOCS_STYLE } from './pages/nav-style.ts';
import { FAVICON, SITE_STYLE } from './pages/site-style.ts';
import { type Freshness, renderStatus, statusJson, type StatusReport } from './pages/status.ts';
import { problem, type Problem } from './problems.ts';
import { chooseEncoding, prefersHtml } from './request/accept.ts';

export interface PagesOptions {
  endpoints: readonly Endpoint[];
  /** Shown in docs and links, without a slash at the end. */
  publicUrl: string;
  brand: string;
  /** What stands in the header names of webhooks. */
  headerBrand: string;
  dataSource: DataSource;
  clock: Clock;
  log: Log;
  reject: (refusal: Problem) => HttpResponse;
  /** Whether all is started. */
  isReady: () => boolean;
  /** What /readyz says; ready as soon as started, where it is left out. */
  readiness?: () => ReadyState;
  freshness: () => Promise<readonly Freshness[]>;
  /** Trading days as operators changed them. */
  market: () => Promise<MarketCalendar>;
  /** Adds routes of others, before the server starts. */
  extend?: (app: FastifyInstance) => void | Promise<void>;
}

/** Everything that needs no read key: description, docs, health, status, and what others add. */
export async function createPages(
  options: PagesOptions,
): Promise<{ listener: RequestListener; close(): Promise<void> }> {
  const { log, reject: refuse } = options;
  const app = fastify({
    logger: false,
    frameworkErrors: (_error, request, reply) => void sendNotFound(request, reply, options),
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(PAGE_HEADERS);
  });
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, options));
  app.setErrorHandler((error, request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number };
    // The framework's own: a body that no page takes.
    if (statusCode < 500) return sendAnswer(reply, refuse(NO_BODY));
    log.error({ err: error, route: request.routeOptions.url }, 'a page failed');
    return sendAnswer(reply, refuse(INTERNAL));
  });
  const closeMethods = rejectOtherMethods(app, (reply, refusal) =>
    sendAnswer(reply, refuse(refusal)),
  );
  const guides = loadGuides();
  addFixed(app, options, guides);
  addHealth(app, options);
  addStatus(app, options);
  serveGuides(app, { guides, brand: options.brand });
  addDocs(app, options);
  await options.extend?.(app);
  closeMethods();
  await app.ready();
  return {
    listener: (request, response) => app.routing(request, response),
    close: () => app.close(),
  };
}

const PAGE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': PAGE_CSP,
};
const NOT_FOUND = problem('not-found', 'There is no such path; /docs lists those there are.');
const NO_BODY = problem('invalid-parameter', 'A page takes no request body.', {
  members: { parameter: 'body' },
});
const INTERNAL = problem('internal-error', 'The page failed; the instance names it in our log.');

function addFixed(app: FastifyInstance, options: PagesOptions, guides: readonly Guide[]): void {
  const json = 'application/json';
  const html = 'text/html; charset=utf-8';
  addText(app, '/', html, renderLanding(options));
  addText(app, '/site.css', 'text/css; charset=utf-8', SITE_STYLE);
  addText(app, '/docs/bar.css', 'text/css; charset=utf-8', DOCS_STYLE);
  addText(app, '/favicon.svg', 'image/svg+xml', FAVICON);
  addText(app, '/llms.txt', 'text/plain; charset=utf-8', renderLlmsText({ ...options, guides }));
  addText(app, '/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /v1/\n');
  addText(app, '/openapi.json', json, `${JSON.stringify(printOpenApi(options))}\n`, {
    'Access-Control-Allow-Origin': '*',
  });
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
    );
    return reply.code(ready.status).headers(ready.headers).send(ready.body);
  });
}

function addStatus(app: FastifyInstance, options: PagesOptions): void {
  const { clock, brand } = options;
  const began = clock.monotonicMs();
  // Anyone may ask, as often as they like: each would read the store anew.
  const report = singleFlight(() => statusReport(options, began));
  app.get('/status', async (request, reply) => {
    const shown = await report();
    reply.headers({ 'Cache-Control': 'no-store', Vary: 'Accept' });
    if (!prefersHtml(request.headers.accept ?? '')) {
      return reply.header('Access-Control-Allow-Origin', '*').send(statusJson(shown));
    }
    return reply.type('text/html; charset=utf-8').send(renderStatus(shown, brand));
  });
}

/** What the store cannot tell now is left out: this page is most read when something is wrong. */
async function statusReport(options: PagesOptions, began: number): Promise<StatusReport> {
  const { clock, dataSource, log } = options;
  const now = clock.now();
  const known = await Promise.all([options.freshness(), options.market()]).catch(
    (error: unknown) => {
      log.error({ err: error }, 'the status cannot be told');
      return null;
    },
  );
  const [datasets, market] = known ?? [null, marketCalendar()];
  return {
    dataSource,
    now,
    datasets,
    isStarted: options.isReady(),
    uptimeSeconds: Math.floor((clock.monotonicMs() - began) / 1e3),
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

/** Calls, of which a browser that is sent to one by hand reads the problem as programs do. */
const CALL = /^\/(?:v1|account|operator)(?:[/?]|$)/;

/** A page for browsers, and the problem for programs. */
function sendNotFound(
  { method, headers, url }: FastifyRequest,
  reply: FastifyReply,
  { brand, reject: refuse }: PagesOptions,
): FastifyReply {
  reply.header('Vary', 'Accept');
  const isAddress = (method === 'GET' || method === 'HEAD') && !CALL.test(url);
  if (!isAddress || !prefersHtml(headers.accept ?? '')) return sendAnswer(reply, refuse(NOT_FOUND));
  // An address that cannot be read comes past the hooks.
  reply.headers({ ...PAGE_HEADERS, 'Cache-Control': 'no-store' });
  return reply.code(404).type('text/html; charset=utf-8').send(renderNotFound(brand));
}

function sendAnswer(reply: FastifyReply, answer: HttpResponse): FastifyReply {
  for (let index = 0; index < answer.headers.length; index += 2) {
    reply.header(answer.headers[index] ?? '', answer.headers[index + 1]);
  }
  return reply.code(answer.status).send(answer.body);
}
