import type { FastifyInstance } from 'fastify';
import { addText } from '../pages/add-text.ts';
import { guidePath, renderGuide, renderGuideIndex } from './guide-page.ts';
import type { Guide } from './load-guides.ts';

/** Serves `/guides`, one page per guide, and the Markdown source of each. */
export function serveGuides(
  app: FastifyInstance,
  { guides, brand }: { guides: readonly Guide[]; brand: string },
): void {
  const html = 'text/html; charset=utf-8';
  const markdown = 'text/markdown; charset=utf-8';
  addText(app, '/guides', html, renderGuideIndex(guides, brand));
  app.get('/guides/', (_request, reply) => reply.redirect('/guides', 308));
  for (const guide of guides) {
    const guidePagePath = `/guides/${guide.name}`;
    addText(app, `${guidePagePath}.md`, markdown, withMarkdownLinks(guide.text), {
      'Access-Control-Allow-Origin': '*',
    });
    const path = guidePath(guide);
    addText(app, path, html, renderGuide(guide, guides, brand));
    if (path !== guidePagePath)
      app.get(guidePagePath, (_request, reply) => reply.redirect(path, 308));
  }
}

/** Makes links in a Markdown guide point to the Markdown versions of other guides. */
function withMarkdownLinks(text: string): string {
  return text.replaceAll(/\]\((\/guides\/[\w-]+)(?=[)#])/g, ']($1.md');
}
