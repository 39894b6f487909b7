/** Text made safe for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The parts of the service that the bar on top leads to. */
const PLACES = [
  { name: 'docs', path: '/docs', word: 'Docs' },
  { name: 'guides', path: '/guides', word: 'Guides' },
  { name: 'status', path: '/status', word: 'Status' },
  { name: 'dashboard', path: '/dashboard', word: 'Dashboard' },
] as const;

export type Place = (typeof PLACES)[number]['name'];

/** A whole page in the house's dress. `main` is markup, made safe by its maker. */
export function renderPage(page: {
  title: string;
  brand: string;
  main: string;
  /** Where the page belongs, shown in the bar; left out, nowhere. */
  place?: Place;
  /** `guide`: text with a list of guides beside it. */
  layout?: 'plain' | 'guide';
}): string {
  const { title, brand, main, place = null, layout = 'plain' } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/site.css">
</head>
<body class="${layout}">
<a class="skip" href="#main">Skip to the text</a>
${renderBar(brand, place)}
<main id="main">
${main}
</main>
</body>
</html>
`;
}

/** The bar on top, the same on every page. */
export function renderBar(brand: string, place: Place | null): string {
  const links = PLACES.map(({ name, path, word }) => {
    const mark = name === place ? ' aria-current="true"' : '';
    return `<a href="${path}"${mark}>${word}</a>`;
  });
  return `<header class="bar">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="22" height="22"><span>${escapeHtml(brand)}</span></a>
<nav aria-label="Main">
${links.join('\n')}
</nav>
</header>`;
}

/** Nothing from elsewhere, no script at all. */
export const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";
