import { renderPage } from './html.ts';

/** Shown to browsers for an unknown path. Does not repeat the URL, which may contain an API key. */
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
