import { renderPage } from './html.ts';

/** What a browser is shown where nothing is. The address is not repeated: it may hold a key. */
export function renderNotFound(brand: string): string {
  const main = `
<h1>Nothing is here.</h1>
<p class="lead">The address is mistyped, or what stood here has moved.</p>
<ul>
<li><a href="/">The first page</a></li>
<li><a href="/docs">All calls, with a form to try them</a></li>
<li><a href="/guides">The guides</a></li>
<li><a href="/dashboard">The dashboard</a></li>
</ul>`;
  return renderPage({ title: `Nothing is here: ${brand}`, brand, main });
}
