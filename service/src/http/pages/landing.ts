import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { DataSource } from '../response/cached-response.ts';
import { escapeHtml, renderPage } from './html.ts';
import { sampleUrl } from './sample-url.ts';

const SOURCE_NOTES: Readonly<Record<DataSource, string>> = {
  synthetic: 'This service runs a simulated market with made-up companies.',
  recorded: 'This service replays recorded data.',
  live: 'Live data from public sources and from APIs that require a key.',
};

/**
 * Path of the endpoint used for the sample request. If it is not served, the first endpoint is
 * used.
 */
const SAMPLE_PATH = '/v1/calendar/earnings';

const GROUPS: readonly { tag: Endpoint['tag']; title: string }[] = [
  { tag: 'earnings', title: 'Earnings' },
  { tag: 'calendars', title: 'Calendars' },
  { tag: 'companies', title: 'Companies' },
  { tag: 'market', title: 'Market' },
  { tag: 'data', title: 'Data coverage and changes' },
];

export function renderLanding(options: {
  endpoints: readonly Endpoint[];
  publicUrl: string;
  brand: string;
  dataSource: DataSource;
}): string {
  const { endpoints, publicUrl, brand, dataSource } = options;
  const sample = endpoints.find(({ path }) => path === SAMPLE_PATH) ?? endpoints[0];
  const url =
    sample === undefined
      ? publicUrl
      : sampleUrl(sample, { publicUrl, isSynthetic: dataSource === 'synthetic' });
  const main = `
<h1>Earnings data you can trace.</h1>
<p class="lead">Earnings calendars, results and price reactions, economic releases, IPOs, dividends,
company profiles and the U.S. market schedule, as plain JSON and CSV. Every version of every value is
kept with its source and time, and signed webhooks notify you of changes.</p>
<p class="actions">
<a class="button first" href="/guides/first-answer">Get started</a>
<a class="button" href="/docs">API reference</a>
<a class="button" href="/guides">Guides</a>
<a class="button" href="/status">Data freshness</a>
</p>
<pre tabindex="0"><code>curl -H 'X-Api-Key: &lt;API_KEY&gt;' '${escapeHtml(url)}'</code></pre>
<p class="note">${escapeHtml(SOURCE_NOTES[dataSource])}</p>
${GROUPS.map((group) => renderGroup(group, endpoints)).join('')}
<h2>For developers and agents</h2>
<ul class="rows">
<li><a href="/openapi.json">openapi.json</a> describes the read API (OpenAPI 3.1), and
<a href="/account/openapi.json">account/openapi.json</a> the management API.</li>
<li><a href="/llms.txt">llms.txt</a> describes the whole service for language models.</li>
<li><a href="/guides/mcp">MCP</a> offers the data to agents as tools, at <code>/mcp</code>.</li>
<li><a href="/status">status</a> is also available as JSON.</li>
<li><a href="/errors">errors</a> explains every error code.</li>
</ul>`;
  return renderPage({ title: `${brand} earnings data`, brand, main });
}

function renderGroup(
  { tag, title }: (typeof GROUPS)[number],
  endpoints: readonly Endpoint[],
): string {
  const members = endpoints
    .filter((endpoint) => endpoint.tag === tag)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (members.length === 0) return '';
  return `<h2>${title}</h2>
<ul class="grid">
${members.map(renderEndpoint).join('\n')}
</ul>
`;
}

/**
 * Renders an endpoint with a link to the API reference, which identifies an operation by its tag
 * and path.
 */
function renderEndpoint({ summary, path, tag }: Endpoint): string {
  const href = `/docs#data/tag/${tag}/GET${path}`;
  return `<li><a href="${escapeHtml(href)}"><strong>${escapeHtml(summary)}</strong></a><code>${escapeHtml(path)}</code></li>`;
}
