import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { DataSource } from '../response/cached-response.ts';
import { escapeHtml, renderPage } from './html.ts';
import { sampleUrl } from './sample-url.ts';

const SOURCE_NOTES: Readonly<Record<DataSource, string>> = {
  synthetic: 'This service runs on a simulated market: every company in it is made up.',
  recorded: 'This service replays recorded data.',
  live: 'Live data from public and keyed sources.',
};

/** What a newcomer wants to see answered first; where it is not served, the first there is. */
const SHOWN_FIRST = '/v1/calendar/earnings';

const GROUPS: readonly { tag: Endpoint['tag']; title: string }[] = [
  { tag: 'earnings', title: 'Earnings' },
  { tag: 'calendars', title: 'Calendars' },
  { tag: 'companies', title: 'Companies' },
  { tag: 'market', title: 'The market' },
  { tag: 'data', title: 'The data themselves' },
];

export function renderLanding(options: {
  endpoints: readonly Endpoint[];
  publicUrl: string;
  brand: string;
  dataSource: DataSource;
}): string {
  const { endpoints, publicUrl, brand, dataSource } = options;
  const shown = endpoints.find(({ path }) => path === SHOWN_FIRST) ?? endpoints[0];
  const address = shown === undefined ? publicUrl : sampleUrl(shown, publicUrl);
  const main = `
<h1>Earnings data you can trace.</h1>
<p class="lead">Earnings calendars, results and price reactions, economic releases, IPOs, dividends,
company profiles and the U.S. market schedule, as plain JSON and CSV. Every version of every fact is
kept, with who said it and since when, and a signed webhook tells what changed.</p>
<p class="actions">
<a class="button first" href="/guides/first-answer">First answer in a minute</a>
<a class="button" href="/docs">Reference</a>
<a class="button" href="/guides">Guides</a>
<a class="button" href="/status">Data freshness</a>
</p>
<pre tabindex="0"><code>curl -H 'X-Api-Key: &lt;API_KEY&gt;' '${escapeHtml(address)}'</code></pre>
<p class="note">${escapeHtml(SOURCE_NOTES[dataSource])}</p>
${GROUPS.map((group) => renderGroup(group, endpoints)).join('')}
<h2>For programs</h2>
<ul class="rows">
<li><a href="/openapi.json">openapi.json</a> describes the read endpoints (OpenAPI 3.1), and
<a href="/account/openapi.json">account/openapi.json</a> the management interface.</li>
<li><a href="/llms.txt">llms.txt</a> is everything a program that reads text needs to know.</li>
<li><a href="/status">status</a> answers JSON to whoever does not ask for a page.</li>
<li><a href="/errors">errors</a> explains every code an error can carry.</li>
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

/** The reference finds an operation by its tag and its path. */
function renderEndpoint({ summary, path, tag }: Endpoint): string {
  const place = `/docs#data/tag/${tag}/GET${path}`;
  return `<li><a href="${escapeHtml(place)}"><strong>${escapeHtml(summary)}</strong></a><code>${escapeHtml(path)}</code></li>`;
}
