import type { RequestListener } from 'node:http';
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Answer } from './answer/answer.ts';
import { etagOf, matchesTag, tagOf } from './answer/etag.ts';
import type { DataSource } from './answer/stored-answer.ts';
import { printOpenApi } from './openapi.ts';
import { DOCS_CSP, loadDocsScript, renderDocs } from './pages/docs-page.ts';
import { renderErrorPage } from './pages/error-page.ts';
import { PAGE_CSP } from './pages/html.ts';
import { renderLanding } from './pages/landing.ts';
import { renderLlmsText } from './pages/llms-text.ts';
import { FAVICON, SITE_STYLE } from './pages/site-style.ts';
import { renderStatus, statusJson } from './pages/status.ts';
import type { Freshness } from './pages/status.ts';
import { problem } from './problems.ts';
import type { Problem } from './problems.ts';
import { chooseEncoding, prefersHtml } from './request/accept.ts';

export interface PagesOptions {
  endpoints: readonly Endpoint[];
  /** Shown in docs and links, without a slash at the end. */
  publicUrl: string;
  brand: string;
  dataSource: DataSource;
  clock: Clock;
  log: Log;
  refuse: (refusal: Problem) => Answer;
  isReady: () => boolean;
  freshness: () => Promise<readonly Freshness[]>;
  /** Adds routes of others, before the server starts. */
  extend?: (app: FastifyInstance) => void | Promise<void>;
}

/** Everything that needs no read key: description, docs, health, status, and what others add. */
export async function createPages(
  options: PagesOptions,
): Promise<{ listener: RequestListener; close(): Promise<void> }> {
  const { log, refuse } = options;
  const app = fastify({
    logger: false,
    frameworkErrors: (_error, _request, reply) => void sendAnswer(reply, refuse(NOT_FOUND)),
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': PAGE_CSP,
    });
  });
  app.setNotFoundHandler((_request, reply) => sendAnswer(reply, refuse(NOT_FOUND)));
  app.setErrorHandler((error, request, reply) => {
    log.error({ err: error, route: request.routeOptions.url }, 'a page failed');
    return sendAnswer(reply, refuse(INTERNAL));
  });
  addFixed(app, options);
  addHealth(app, options);
  addDocs(app, options);
  await options.extend?.(app);
  await app.ready();
  return {
    listener: (request, response) => app.routing(request, response),
    close: () => app.close(),
  };
}

const NOT_FOUND = problem('not-found', 'There is no such path; /docs lists those there are.');
const INTERNAL = problem('internal-error', 'The page failed; the instance names it in our log.');

function addFixed(app: FastifyInstance, options: PagesOptions): void {
  const json = 'application/json';
  const html = 'text/html; charset=utf-8';
  addText(app, '/', html, renderLanding(options));
  addText(app, '/site.css', 'text/css; charset=utf-8', SITE_STYLE);
  addText(app, '/favicon.svg', 'image/svg+xml', FAVICON);
  addText(app, '/llms.txt', 'text/plain; charset=utf-8', renderLlmsText(options));
  addText(app, '/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /v1/\n');
  addText(app, '/openapi.json', json, `${JSON.stringify(printOpenApi(options))}\n`, {
    'Access-Control-Allow-Origin': '*',
  });
  app.get<{ Params: { code: string } }>('/errors/:code', (request, reply) => {
    const page = renderErrorPage(request.params.code, options.brand);
    return page === null
      ? sendAnswer(reply, options.refuse(NOT_FOUND))
      : reply.type(html).send(page);
  });
}

function addHealth(app: FastifyInstance, options: PagesOptions): void {
  app.get('/healthz', (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
    if (options.isReady()) return reply.send({ status: 'ready' });
    return reply.code(503).header('Retry-After', '1').send({ status: 'starting' });
  });
  app.get('/status', async (request, reply) => {
    const report = {
      ready: options.isReady(),
      dataSource: options.dataSource,
      now: options.clock.now(),
      datasets: await options.freshness(),
    };
    reply.headers({ 'Cache-Control': 'no-store', Vary: 'Accept' });
    if (!prefersHtml(request.headers.accept ?? '')) {
      return reply.header('Access-Control-Allow-Origin', '*').send(statusJson(report));
    }
    return reply.type('text/html; charset=utf-8').send(renderStatus(report, options.brand));
  });
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

/** A text that does not change while the process lives. */
function addText(
  app: FastifyInstance,
  path: string,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  const body = Buffer.from(text);
  const tag = tagOf(body);
  app.get(path, (request, reply) => {
    reply.headers({
      'Cache-Control': 'public, max-age=300',
      ETag: etagOf(tag, 'identity'),
      ...headers,
    });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) return reply.code(304).send();
    return reply.type(type).send(body);
  });
}

function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  for (let index = 0; index < answer.headers.length; index += 2) {
    reply.header(answer.headers[index] ?? '', answer.headers[index + 1]);
  }
  return reply.code(answer.status).send(answer.body);
}
