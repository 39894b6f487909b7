import { type ProblemCode, PROBLEMS, problemType } from '../problems.ts';
import { escapeHtml, renderPage } from './html.ts';

/** What a problem's `type` leads to; null for a code that does not exist. */
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
<p>Decide by <code>code</code>; <code>title</code> and <code>detail</code> are for people and may be
reworded. <code>instance</code> is the request id, which is in the log too: name it when you report an
error.</p>`;
  return renderPage({ title: `${title} (${code})`, brand, main, place: 'guides' });
}

/** All codes with a page each, by status. */
export function renderErrorList(): string {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).toSorted(
    (a, b) => PROBLEMS[a].status - PROBLEMS[b].status || (a < b ? -1 : 1),
  );
  return `<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457), <code>application/problem+json</code>, with a stable
<code>code</code>. Its <code>type</code> is the address of the page that explains it. Programs decide by
<code>code</code>; <code>title</code> and <code>detail</code> are for people and may be reworded.
<code>instance</code> equals the header <code>X-Request-Id</code>: name it when you report an
error.</p>
<div class="scroll" role="group" aria-label="Errors by status" tabindex="0"><table>
<thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead>
<tbody>
${codes.map(renderRow).join('\n')}
</tbody></table></div>`;
}

function renderRow(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const link = `<a href="${problemType(code)}"><code>${code}</code></a>`;
  return `<tr><td class="number">${status}</td><td>${link}</td><td>${escapeHtml(title)}</td></tr>`;
}

/** Names between backticks are code. */
function renderInline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
