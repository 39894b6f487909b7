import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { DataSource } from '../answer/stored-answer.ts';
import { escapeHtml, renderPage } from './html.ts';

const SOURCE_NOTES: Readonly<Record<DataSource, string>> = {
  synthetic: 'This service runs on a simulated market: every company in it is made up.',
  recorded: 'This service replays recorded data.',
  live: 'Live data from public and keyed sources.',
};

export function renderLanding(options: {
  endpoints: readonly Endpoint[];
  publicUrl: string;
  brand: string;
  dataSource: DataSource;
}): string {
  const { endpoints, publicUrl, brand, dataSource } = options;
  const first = endpoints[0]?.path ?? '/v1/market-status';
  const question = endpoints[0]?.parameters.some((parameter) => parameter.name === 'date') === true;
  const address = `${publicUrl}${first}?${question ? 'date=today&' : ''}apikey=<API_KEY>`;
  const main = `
<h1>Earnings data you can trace.</h1>
<p class="lead">Earnings calendars, results and price reactions, economic releases, IPOs, dividends,
company profiles and the U.S. market schedule, as plain JSON. Every version of every fact is kept,
with who said it and since when.</p>
<p class="actions">
<a class="button first" href="/docs">Read the docs</a>
<a class="button" href="/openapi.json">OpenAPI 3.1</a>
<a class="button" href="/llms.txt">llms.txt</a>
<a class="button" href="/status">Data freshness</a>
</p>
<pre><code>curl '${escapeHtml(address)}'</code></pre>
<p class="note">${escapeHtml(SOURCE_NOTES[dataSource])}</p>
<h2>Read endpoints</h2>
<ul class="grid">
${endpoints.map(renderEndpoint).join('\n')}
</ul>`;
  return renderPage({ title: `${brand} earnings data`, brand, main });
}

function renderEndpoint(endpoint: Endpoint): string {
  return `<li><strong>${escapeHtml(endpoint.summary)}</strong><code>${escapeHtml(endpoint.path)}</code></li>`;
}
