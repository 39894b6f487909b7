import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Random } from '../../platform/random.ts';
import { escapeHtml, renderPage } from '../pages/html.ts';
import { chooseEncoding } from '../request/accept.ts';
import { builtFiles } from './built-files.ts';

/** Where the build puts it, beside the service in the same repository. */
const BUILT = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url));
const NONCE_BYTES = 16;

/**
 * The dashboard: one page for every address below `/dashboard`, and the files it loads. The page's
 * own scripts decide what it shows; what may be seen, the calls decide.
 */
export function serveDashboard(
  app: FastifyInstance,
  options: {
    random: Random;
    brand: string;
    /** What stands in the names of headers of deliveries. */
    headerBrand: string;
    folder?: string;
  },
): void {
  const { random, brand, headerBrand, folder = BUILT } = options;
  const files = builtFiles(folder);

  app.get<{ Params: { '*': string } }>('/dashboard/assets/*', async (request, reply) => {
    const asset = await files.asset(request.params['*']);
    if (asset === null) return reply.callNotFound();
    const wanted = chooseEncoding(request.headers['accept-encoding'] ?? '');
    const encoding = asset.bodies.has(wanted) ? wanted : 'identity';
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply
      .headers({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' })
      .type(asset.mediaType)
      .send(asset.bodies.get(encoding));
  });
  app.get('/dashboard', (_request, reply) => sendPage(reply));
  app.get('/dashboard/*', (_request, reply) => sendPage(reply));

  async function sendPage(reply: FastifyReply): Promise<FastifyReply> {
    const page = await files.page();
    reply.header('Cache-Control', 'no-store').type('text/html; charset=utf-8');
    if (page === null) return reply.code(503).send(renderMissing(brand));
    const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString('base64url');
    return reply.header('Content-Security-Policy', policyWith(nonce)).send(
      page
        .replace('%STYLE_NONCE%', nonce)
        .replace('%BRAND%', () => escapeHtml(brand))
        .replace('%HEADER_BRAND%', headerBrand),
    );
  }
}

/**
 * Scripts and data from here alone, no script in the page; style elements only by a value that is
 * new for every page.
 */
function policyWith(nonce: string): string {
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
<h1>The dashboard is not built.</h1>
<p class="lead">Build it with <code>npm run build</code>, then load this page again. Everything it
does can also be done with <code>npx afterbell --help</code>.</p>`;
  return renderPage({ title: `${brand}: dashboard`, brand, main });
}
