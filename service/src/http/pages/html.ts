/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Links in the navigation bar. */
const NAV_LINKS = [
  { name: 'docs', path: '/docs', label: 'Docs' },
  { name: 'guides', path: '/guides', label: 'Guides' },
  { name: 'status', path: '/status', label: 'Status' },
  { name: 'dashboard', path: '/dashboard', label: 'Dashboard' },
] as const;

export type NavLink = (typeof NAV_LINKS)[number]['name'];

/** Renders a complete HTML page. `main` must be trusted markup. */
export function renderPage(page: {
  title: string;
  brand: string;
  main: string;
  /** The link to highlight in the navigation bar, if any. */
  active?: NavLink;
  /** `guide` shows the list of guides next to the text. */
  layout?: 'plain' | 'guide';
}): string {
  const { title, brand, main, active = null, layout = 'plain' } = page;
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
<a class="skip" href="#main">Skip to content</a>
${renderNav(brand, active)}
<main id="main">
${main}
</main>
</body>
</html>
`;
}

/** Renders the navigation bar, which is the same on every page. */
export function renderNav(brand: string, active: NavLink | null): string {
  const links = NAV_LINKS.map(({ name, path, label }) => {
    const current = name === active ? ' aria-current="true"' : '';
    return `<a href="${path}"${current}>${label}</a>`;
  });
  return `<header class="bar">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="22" height="22"><span>${escapeHtml(brand)}</span></a>
<nav aria-label="Main">
${links.join('\n')}
</nav>
</header>`;
}

/** Allows only same-origin resources, and no scripts. */
export const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";
