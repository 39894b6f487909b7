import { renderErrorList } from '../pages/error-page.ts';
import { escapeHtml, renderPage } from '../pages/html.ts';
import type { Guide } from './load-guides.ts';
import { renderMarkdown, type Section } from './render-markdown.ts';

/** Where a guide is read: errors have a page for each code, so theirs is the list of them. */
export function guidePath({ name }: Guide): string {
  return name === 'errors' ? '/errors' : `/guides/${name}`;
}

/** One guide, with all of them beside it, the one before and the one behind below it. */
export function renderGuide(guide: Guide, guides: readonly Guide[], brand: string): string {
  const { html, sections } = guide.name === 'errors' ? ERRORS : renderMarkdown(guide.text);
  const main = `
<article class="prose">
${html}
<footer>
${renderTurns(guide, guides)}
<p><a href="/guides/${guide.name}.md">This page as Markdown</a></p>
</footer>
</article>
<nav class="shelf" aria-label="Guides">
${renderShelf(guides, guide, sections)}
</nav>`;
  const title = `${guide.title}: ${brand} guides`;
  return renderPage({ title, brand, main, place: 'guides', layout: 'guide' });
}

/** A list of the pages that there are, in place of all their texts on one. */
const ERRORS = { html: renderErrorList(), sections: [] };

/** All guides with what each is about. */
export function renderGuideIndex(guides: readonly Guide[], brand: string): string {
  const groups = groupsOf(guides).map(
    ([group, members]) => `<h2>${escapeHtml(group)}</h2>
<ul class="grid">
${members.map(renderCard).join('\n')}
</ul>`,
  );
  const main = `
<h1>Guides</h1>
<p class="lead">How to ask, how to be told, and how to run it. The samples in them are run against a
live service by the tests. The reference of each call is under
<a href="/docs">Docs</a>; <a href="/llms.txt">llms.txt</a> is all of it as one plain text.</p>
${groups.join('\n')}`;
  return renderPage({ title: `${brand} guides`, brand, main, place: 'guides' });
}

function renderCard(guide: Guide): string {
  return `<li><a href="${guidePath(guide)}"><strong>${escapeHtml(guide.title)}</strong></a>
<span>${escapeHtml(guide.summary)}</span></li>`;
}

function renderShelf(guides: readonly Guide[], here: Guide, sections: readonly Section[]): string {
  return groupsOf(guides)
    .map(
      ([group, members]) => `<h2>${escapeHtml(group)}</h2>
<ul>
${members.map((guide) => renderEntry(guide, guide === here ? sections : null)).join('\n')}
</ul>`,
    )
    .join('\n');
}

function renderEntry(guide: Guide, sections: readonly Section[] | null): string {
  const title = escapeHtml(guide.title);
  const link = `<a href="${guidePath(guide)}"`;
  if (sections === null) return `<li>${link}>${title}</a></li>`;
  const inside = sections.map(
    ({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  const list = inside.length === 0 ? '' : `\n<ul>\n${inside.join('\n')}\n</ul>`;
  return `<li>${link} aria-current="page">${title}</a>${list}</li>`;
}

function renderTurns(here: Guide, guides: readonly Guide[]): string {
  const at = guides.indexOf(here);
  const [before, behind] = [guides[at - 1], guides[at + 1]];
  const back = before === undefined ? '' : renderTurn(before, 'Before', 'prev');
  const on = behind === undefined ? '' : renderTurn(behind, 'Next', 'next');
  return `<nav class="turns" aria-label="Neighbours">${back}${on}</nav>`;
}

function renderTurn(guide: Guide, word: string, rel: string): string {
  const title = escapeHtml(guide.title);
  return `<a href="${guidePath(guide)}" rel="${rel}"><small>${word}</small>${title}</a>`;
}

function groupsOf(guides: readonly Guide[]): [string, Guide[]][] {
  return [...Map.groupBy(guides, ({ group }) => group)];
}
