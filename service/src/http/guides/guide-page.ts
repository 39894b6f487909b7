import { renderErrorList } from '../pages/error-page.ts';
import { escapeHtml, renderPage } from '../pages/html.ts';
import type { Guide } from './load-guides.ts';
import { renderMarkdown, type Section } from './render-markdown.ts';

/**
 * Returns the URL of a guide. The guide to errors is at /errors, which lists one page per error
 * code.
 */
export function guidePath({ name }: Guide): string {
  return name === 'errors' ? '/errors' : `/guides/${name}`;
}

/** Renders a guide with the list of all guides and links to the previous and next guide. */
export function renderGuide(guide: Guide, guides: readonly Guide[], brand: string): string {
  const { html, sections } = guide.name === 'errors' ? ERRORS : renderMarkdown(guide.text);
  const main = `
<article class="prose">
${html}
<footer>
${renderPager(guide, guides)}
<p><a href="/guides/${guide.name}.md">This page as Markdown</a></p>
</footer>
</article>
<nav class="sidebar" aria-label="Guides">
${renderSidebar(guides, guide, sections)}
</nav>`;
  const title = `${guide.title}: ${brand} guides`;
  return renderPage({ title, brand, main, active: 'guides', layout: 'guide' });
}

/** The errors guide shows the list of error pages instead of its own text. */
const ERRORS = { html: renderErrorList(), sections: [] };

/** Renders the list of all guides with their summaries. */
export function renderGuideIndex(guides: readonly Guide[], brand: string): string {
  const groups = groupsOf(guides).map(
    ([group, members]) => `<h2>${escapeHtml(group)}</h2>
<ul class="grid">
${members.map(renderCard).join('\n')}
</ul>`,
  );
  const main = `
<h1>Guides</h1>
<p class="lead">How to read data, receive webhooks and run the service. The tests run every sample
against a live service. For each endpoint, see the <a href="/docs">API reference</a>.
<a href="/llms.txt">llms.txt</a> contains everything as plain text.</p>
${groups.join('\n')}`;
  return renderPage({ title: `${brand} guides`, brand, main, active: 'guides' });
}

function renderCard(guide: Guide): string {
  return `<li><a href="${guidePath(guide)}"><strong>${escapeHtml(guide.title)}</strong></a>
<span>${escapeHtml(guide.summary)}</span></li>`;
}

function renderSidebar(
  guides: readonly Guide[],
  current: Guide,
  sections: readonly Section[],
): string {
  return groupsOf(guides)
    .map(
      ([group, members]) => `<h2>${escapeHtml(group)}</h2>
<ul>
${members.map((guide) => renderEntry(guide, guide === current ? sections : null)).join('\n')}
</ul>`,
    )
    .join('\n');
}

function renderEntry(guide: Guide, sections: readonly Section[] | null): string {
  const title = escapeHtml(guide.title);
  const link = `<a href="${guidePath(guide)}"`;
  if (sections === null) return `<li>${link}>${title}</a></li>`;
  const items = sections.map(
    ({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  const list = items.length === 0 ? '' : `\n<ul>\n${items.join('\n')}\n</ul>`;
  return `<li>${link} aria-current="page">${title}</a>${list}</li>`;
}

function renderPager(current: Guide, guides: readonly Guide[]): string {
  const index = guides.indexOf(current);
  const [previous, next] = [guides[index - 1], guides[index + 1]];
  const links = [
    previous === undefined ? '' : renderPagerLink(previous, 'Previous', 'prev'),
    next === undefined ? '' : renderPagerLink(next, 'Next', 'next'),
  ];
  return `<nav class="pager" aria-label="Pagination">${links.join('')}</nav>`;
}

function renderPagerLink(guide: Guide, label: string, rel: string): string {
  const title = escapeHtml(guide.title);
  return `<a href="${guidePath(guide)}" rel="${rel}"><small>${label}</small>${title}</a>`;
}

function groupsOf(guides: readonly Guide[]): [string, Guide[]][] {
  return [...Map.groupBy(guides, ({ group }) => group)];
}
