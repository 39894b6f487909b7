import { PROBLEMS } from '../problems.ts';
import type { ProblemCode } from '../problems.ts';
import { escapeHtml, renderPage } from './html.ts';

/** What a problem's `type` leads to; null for a code that does not exist. */
export function renderErrorPage(code: string, brand: string): string | null {
  if (!isProblemCode(code)) return null;
  const { status, title, help } = PROBLEMS[code];
  const main = `
<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(help)}</p>
<pre><code>${status} ${code}</code></pre>`;
  return renderPage({ title: `${title} (${code})`, brand, main });
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
