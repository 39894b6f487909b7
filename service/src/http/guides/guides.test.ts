import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadServer, startReadServer } from '../../../test/support/read-server.ts';
import { loadGuides } from './load-guides.ts';
import { renderMarkdown } from './render-markdown.ts';
import { resolveLink } from './resolve-link.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const DOCUMENTS = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));

/** Paths that the service provides, but that are not among the pages started by these tests. */
const BY_OTHERS = ['/dashboard', '/account/openapi.json'];

const guides = loadGuides();
let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

test('lists every document in docs/ as a guide', () => {
  const served = guides.map(({ name }) => `${name}.md`);
  expect(served.toSorted()).toEqual(DOCUMENTS.toSorted());
});

test('links to every guide from the index and from every other guide', async () => {
  const wanted = guides.map(({ name }) => (name === 'errors' ? '/errors' : `/guides/${name}`));
  for (const page of ['/guides', ...wanted]) {
    const found = linksOf((await server.get(page)).body.toString());
    expect(found, page).toEqual(expect.arrayContaining(wanted));
  }
});

test('serves no page with a broken link or fragment', async () => {
  const seen = new Map<string, string>();
  const waiting = ['/', '/guides'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || BY_OTHERS.includes(path)) continue;
    const reply = await server.get(path, { Accept: 'text/html' });
    expect(reply.status, path).toBe(200);
    const text = reply.body.toString();
    seen.set(path, text);
    if (!String(reply.headers['content-type']).startsWith('text/html') || path === '/docs')
      continue;
    waiting.push(...linksOf(text).map((link) => new URL(link, `http://x${path}`).pathname));
  }
  expect(seen.size).toBeGreaterThan(guides.length + 30);
  for (const [path, text] of seen) {
    for (const link of path === '/docs' ? [] : linksOf(text)) {
      const { pathname, hash } = new URL(link, `http://x${path}`);
      if (hash === '' || pathname === '/docs') continue;
      expect(seen.get(pathname), `${path} leads to ${link}`).toContain(`id="${hash.slice(1)}"`);
    }
  }
});

test('links Markdown guides to the Markdown versions of other guides and to served pages', async () => {
  for (const { name } of guides) {
    const reply = await server.get(`/guides/${name}.md`);
    expect(reply.headers['content-type']).toBe('text/markdown; charset=utf-8');
    const text = reply.body.toString();
    expect(text).toMatch(/^# /);
    for (const [, link = ''] of text.matchAll(/\]\((\/[^)#]*)[^)]*\)/g)) {
      if (BY_OTHERS.includes(link)) continue;
      expect((await server.get(link)).status, `${name} leads to ${link}`).toBe(200);
    }
    expect(text).not.toMatch(/\]\(\.|<!--/);
  }
});

test("finds no broken links in the repository's documents", () => {
  for (const path of ['README.md', ...DOCUMENTS.map((name) => `docs/${name}`)]) {
    const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```.*?^```$/gms, '');
    for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^https?:/.test(link)) continue;
      expect(existsSync(resolve(ROOT, dirname(path), link)), `${path} leads to ${link}`).toBe(true);
    }
  }
});

test('replaces links to targets that are not served with their text', () => {
  const names = new Set(['webhooks', 'errors']);
  expect(resolveLink('webhooks.md#verify', names)).toBe('/guides/webhooks#verify');
  expect(resolveLink('errors.md', names)).toBe('/errors');
  expect(resolveLink('errors.md#conflict', names)).toBe('/errors/conflict');
  expect(resolveLink('../openapi/account.json', names)).toBe('/account/openapi.json');
  expect(resolveLink('not-written.md', names)).toBe(null);
  expect(resolveLink('../sdk', names)).toBe(null);
});

test('shows HTML in Markdown as text, and creates no links to scripts or to disguised external hosts', () => {
  const { html } = renderMarkdown(`<script>alert(1)</script>

A <b onclick="x()">bold</b> word, [one](javascript:alert(1)), [two](//evil.example/), ![p](https://x.example/p.png)

[three](https://x.example/?a=1&b="2")
`);
  expect(html).not.toMatch(/<script|<b |<img|javascript:|evil/);
  expect(html).toContain('&lt;b onclick=');
  expect(html).toContain('rel="noreferrer"');
});

test('gives sections the same unique IDs as GitHub does', () => {
  const text = '# T\n\n## What is `sent`, and when?\n\n## Limits\n\n## Limits\n';
  expect(renderMarkdown(text).sections).toEqual([
    { id: 'what-is-sent-and-when', title: 'What is sent, and when?' },
    { id: 'limits', title: 'Limits' },
    { id: 'limits-1', title: 'Limits' },
  ]);
});

function linksOf(html: string): string[] {
  const body = html.slice(html.indexOf('<body'));
  const links = [...body.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  return links.filter((link) => !/^https?:/.test(link));
}
