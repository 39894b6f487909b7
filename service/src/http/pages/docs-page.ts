import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import type { Encoding } from '../response/etag.ts';
import { escapeHtml, renderNav } from './html.ts';

/** The API reference at `/docs`. The browser only connects to this service. */

/**
 * The renderer sets style attributes, so inline styles are allowed. Scripts, requests and all other
 * resources are restricted to this origin.
 */
export const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/** Disables every renderer feature that contacts other hosts. */
const CONFIGURATION = {
  sources: [
    { title: 'Data', slug: 'data', url: '/openapi.json', default: true },
    { title: 'Management', slug: 'management', url: '/account/openapi.json' },
  ],
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  // Sample requests send the key in a header to keep it out of URLs and logs.
  authentication: { preferredSecurityScheme: 'apiKeyInHeader' },
};

export function renderDocs(brand: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(brand)} API reference</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/bar.css">
</head>
<body>
${renderNav(brand, 'docs')}
<script id="api-reference"
 data-configuration="${escapeHtml(JSON.stringify(CONFIGURATION))}"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

let script: Promise<ReadonlyMap<Encoding, Buffer>> | null = null;

/**
 * Loads the renderer's script in each encoding. The script is 4 MB in size, so it is loaded on
 * first use and cached in compressed form.
 */
export function loadDocsScript(): Promise<ReadonlyMap<Encoding, Buffer>> {
  script ??= readScript();
  return script;
}

async function readScript(): Promise<ReadonlyMap<Encoding, Buffer>> {
  // The package exposes its script only through its Fastify plugin, so the script is loaded through
  // a private Fastify instance.
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const instance = fastify();
  await instance.register(reference, { routePrefix: '/docs', configuration: { url: '/' } });
  const { rawPayload } = await instance.inject('/docs/js/scalar.js');
  await instance.close();
  // The last line refers to a source map that is not included.
  const text = rawPayload.toString().replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  const uncompressed = Buffer.from(text);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(uncompressed, { params: quality }),
    promisify(gzip)(uncompressed),
  ]);
  return new Map<Encoding, Buffer>([
    ['identity', uncompressed],
    ['br', br],
    ['gzip', gz],
  ]);
}
