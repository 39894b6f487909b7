/** Text made safe for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A whole page in the house's dress. `main` is markup, made safe by its maker. */
export function renderPage(page: { title: string; brand: string; main: string }): string {
  const brand = escapeHtml(page.brand);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/site.css">
</head>
<body>
<header class="bar">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="22" height="22">${brand}</a>
<nav aria-label="Main">
<a href="/docs">Docs</a>
<a href="/openapi.json">OpenAPI</a>
<a href="/status">Status</a>
</nav>
</header>
<main>
${page.main}
</main>
</body>
</html>
`;
}

/** Nothing from elsewhere, no script at all. */
export const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";
