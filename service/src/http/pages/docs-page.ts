import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import type { Encoding } from '../response/etag.ts';
import { escapeHtml, renderBar } from './html.ts';

/** The reference at `/docs`: the reader's browser talks to this service and to no one else. */

/**
 * The renderer sets style attributes, hence inline styles; scripts come from here alone, and
 * nothing can be fetched, loaded or sent anywhere but here, whatever the script would like.
 */
export const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/** Everything of the renderer that would leave the house is off. */
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
  // What is tried and copied keeps the key out of addresses, and so out of logs.
  authentication: { preferredSecurityScheme: 'apiKeyInHeader' },
};

export function renderDocs(brand: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(brand)} earnings data: reference</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/bar.css">
</head>
<body>
${renderBar(brand, 'docs')}
<script id="api-reference"
 data-configuration="${escapeHtml(JSON.stringify(CONFIGURATION))}"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

let script: Promise<ReadonlyMap<Encoding, Buffer>> | null = null;

/** The renderer's script in each encoding: 4 MB, so it is read at the first visit and kept packed. */
export function loadDocsScript(): Promise<ReadonlyMap<Encoding, Buffer>> {
  script ??= readScript();
  return script;
}

async function readScript(): Promise<ReadonlyMap<Encoding, Buffer>> {
  // The package hands its script out only through its plug-in, so a private instance is asked.
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const instance = fastify();
  await instance.register(reference, { routePrefix: '/docs', configuration: { url: '/' } });
  const { rawPayload } = await instance.inject('/docs/js/scalar.js');
  await instance.close();
  // Its last line names a source map that is not there.
  const text = rawPayload.toString().replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  const plain = Buffer.from(text);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: quality }),
    promisify(gzip)(plain),
  ]);
  return new Map<Encoding, Buffer>([
    ['identity', plain],
    ['br', br],
    ['gzip', gz],
  ]);
}
