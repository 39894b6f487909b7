import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Random } from '../../platform/random.ts';
import { escapeHtml, renderPage } from '../pages/html.ts';
import { chooseEncoding } from '../request/accept.ts';
import { builtFiles } from './built-files.ts';

/** The folder dashboard/dist in the repository root. */
const BUILD_FOLDER = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url));
const NONCE_BYTES = 16;

/**
 * Serves the dashboard: one HTML page for every path under `/dashboard`, and its assets. The page's
 * scripts decide what to show; the management API decides what the user may see.
 */
export function serveDashboard(
  app: FastifyInstance,
  options: {
    random: Random;
    brand: string;
    /** Brand as it appears in webhook header names. */
    headerBrand: string;
    folder?: string;
  },
): void {
  const { random, brand, headerBrand, folder = BUILD_FOLDER } = options;
  const files = builtFiles(folder);

  app.get<{ Params: { '*': string } }>('/dashboard/assets/*', async (request, reply) => {
    const asset = await files.asset(request.params['*']);
    if (asset === null) return reply.callNotFound();
    const preferred = chooseEncoding(request.headers['accept-encoding'] ?? '');
    const encoding = asset.bodies.has(preferred) ? preferred : 'identity';
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply
      .headers({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' })
      .type(asset.mediaType)
      .send(asset.bodies.get(encoding));
  });
  app.get('/dashboard', (_request, reply) => sendPage(reply));
  app.get('/dashboard/*', (_request, reply) => sendPage(reply));

  function sendPage(reply: FastifyReply): FastifyReply {
    const page = files.page();
    reply.header('Cache-Control', 'no-store').type('text/html; charset=utf-8');
    if (page === null) return reply.code(503).send(renderMissing(brand));
    const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString('base64url');
    return reply.header('Content-Security-Policy', contentSecurityPolicy(nonce)).send(
      page
        .replace('%STYLE_NONCE%', nonce)
        .replace('%BRAND%', () => escapeHtml(brand))
        .replace('%HEADER_BRAND%', headerBrand),
    );
  }
}

/**
 * Allows same-origin scripts and requests, no inline scripts, and style elements only with this
 * page's nonce.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function renderMissing(brand: string): string {
  const main = `
<h1>The dashboard is not built</h1>
<p class="lead">Run <code>npm run build</code>, then reload this page. The command line offers the same
functions: <code>npx afterbell --help</code>.</p>`;
  return renderPage({ title: `${brand} dashboard`, brand, main });
}
