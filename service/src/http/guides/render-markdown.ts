import { Marked, Renderer, type Tokens } from 'marked';
import { escapeHtml } from '../pages/html.ts';

/** A second-level heading for the table of contents. */
export interface Section {
  id: string;
  title: string;
}

/**
 * Renders Markdown as HTML. Raw HTML is shown as text, images are omitted, and only targets on this
 * service or http(s) URLs become links.
 */
export function renderMarkdown(text: string): { html: string; sections: readonly Section[] } {
  const sections: Section[] = [];
  const ids = new Set<string>();
  const { table: plainTable } = new Renderer();
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        return renderLink(href, content);
      },
      heading({ depth, tokens, text }) {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${content}</h1>\n`;
        const title = withoutMarkup(text);
        const id = uniqueId(title, ids);
        if (depth === 2) sections.push({ id, title });
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`;
      },
      code: renderCode,
      // Allows line breaks between the words of long names in narrow table columns.
      codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>`,
      table(token) {
        const label = escapeHtml(token.header.map(({ text }) => withoutMarkup(text)).join(', '));
        const markup = plainTable.call(this, token);
        return `<div class="scroll" role="group" aria-label="Table: ${label}" tabindex="0">${markup}</div>\n`;
      },
    },
  });
  return { html: marked.parse(text, { async: false }), sections };
}

function renderLink(href: string, content: string): string {
  if (/^(?:#|\/(?!\/))/.test(href)) return `<a href="${escapeHtml(href)}">${content}</a>`;
  if (!/^https?:\/\//.test(href)) return content;
  return `<a href="${escapeHtml(href)}" rel="noreferrer">${content}</a>`;
}

/** Long lines scroll horizontally, so the code block must be reachable by keyboard. */
function renderCode({ text, lang = '' }: Tokens.Code): string {
  const code = escapeHtml(text);
  const highlighted = lang === 'sh' ? code.replaceAll(/(?<=^|\s)(# .*)$/gm, '<i>$1</i>') : code;
  return `<pre tabindex="0"><code>${highlighted}</code></pre>\n`;
}

/** Returns the same ID as GitHub would, so that links with a fragment work in both places. */
function uniqueId(title: string, ids: Set<string>): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  let id = base;
  for (let count = 1; ids.has(id); count += 1) id = `${base}-${count}`;
  ids.add(id);
  return id;
}

function withoutMarkup(text: string): string {
  return text.replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, '');
}
