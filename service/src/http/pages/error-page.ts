import { type ProblemCode, PROBLEMS, problemType } from '../problems.ts';
import { escapeHtml, renderPage } from './html.ts';

/** Renders the page that a problem's `type` links to. Returns null for an unknown code. */
export function renderErrorPage(code: string, brand: string): string | null {
  if (!isProblemCode(code)) return null;
  const { status, title, help } = PROBLEMS[code];
  const sample = { type: problemType(code), title, status, code, detail: '…', instance: 'req_…' };
  const main = `
<p class="trail"><a href="/errors">Errors</a></p>
<h1>${escapeHtml(title)}</h1>
<p class="lead">${renderInline(help)}</p>
<pre tabindex="0"><code>HTTP ${status}
Content-Type: application/problem+json

${escapeHtml(JSON.stringify(sample, null, 2))}</code></pre>
${HANDLING_ERRORS}`;
  return renderPage({ title: `${title} (${code})`, brand, main, active: 'guides' });
}

/** Renders all error codes with links to their pages, by status. */
export function renderErrorList(): string {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).toSorted(
    (a, b) => PROBLEMS[a].status - PROBLEMS[b].status || (a < b ? -1 : 1),
  );
  return `<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457) of type <code>application/problem+json</code>. Its
<code>type</code> is the URL of the page that explains it.</p>
${HANDLING_ERRORS}
<div class="scroll" role="group" aria-label="Errors by status" tabindex="0"><table>
<thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead>
<tbody>
${codes.map(renderRow).join('\n')}
</tbody></table></div>`;
}

/**
 * Renders the page that browsers show for an unknown path. It does not repeat the URL, which may
 * contain an API key.
 */
export function renderNotFound(brand: string): string {
  const main = `
<h1>Page not found</h1>
<p class="lead">Check the URL for typos, or continue here:</p>
<ul>
<li><a href="/">Home</a></li>
<li><a href="/docs">API reference</a></li>
<li><a href="/guides">Guides</a></li>
<li><a href="/dashboard">Dashboard</a></li>
</ul>`;
  return renderPage({ title: `Page not found: ${brand}`, brand, main });
}

const HANDLING_ERRORS = `<p>In your code, check <code>code</code>, which is stable. <code>title</code> and
<code>detail</code> are for people and may change. <code>instance</code> is the request id, the same as
in the <code>X-Request-Id</code> header: quote it when you report a problem.</p>`;

function renderRow(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const link = `<a href="${problemType(code)}"><code>${code}</code></a>`;
  return `<tr><td class="number">${status}</td><td>${link}</td><td>${escapeHtml(title)}</td></tr>`;
}

/** Renders text between backticks as code. */
function renderInline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
