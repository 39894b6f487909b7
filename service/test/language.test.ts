import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  collectCode,
  collectDocument,
  collectPython,
  collectRepository,
} from './language/collect.ts';
import { findDialect } from './language/rules.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const prose = collectRepository(REPOSITORY);

test('finds only plain English in comments, test names, labels, log messages and documents', () => {
  expect(findDialect(prose)).toEqual([]);
});

test('lists at least sixty terms in the glossary, each with an existing path', () => {
  const glossary = readFileSync(join(REPOSITORY, 'docs/glossary.md'), 'utf8');
  const places = [...glossary.matchAll(/^\| .* \| `([^`]+)` +\|$/gm)].map(
    ([, place = '']) => place,
  );
  expect(places.length).toBeGreaterThanOrEqual(60);
  const isMissing = (place: string) =>
    !existsSync(join(REPOSITORY, place.startsWith('service/') ? place : `service/src/${place}`));
  expect(places.filter(isMissing)).toEqual([]);
});

test('checks every kind of text in the whole repository', () => {
  const count = (kind: string) => prose.filter((text) => text.kind === kind).length;
  expect(count('comment')).toBeGreaterThan(3_000);
  expect(count('test name')).toBeGreaterThan(2_000);
  expect(count('label')).toBeGreaterThan(500);
  expect(count('log message')).toBeGreaterThan(40);
  expect(count('document')).toBeGreaterThan(1_000);
});

test.each([
  ['/** What the caller asked for. */', 'begins with "What"'],
  ['/** Symbols of a plan. Who has none sees all. */', 'begins with "Who"'],
  ['/** Whether a key is valid. */', 'begins with "Whether"'],
  ['// Nobody waits\n// for it anew.', '"anew"'],
  ['const x = { summary: "Tell whom to ask" };', '"whom"'],
  [`log.warn({ event: 'store.lost' }, 'The store lacks a table.');`, 'ends with a full stop'],
  [`this.#log.info({ event: 'x.y' }, 'Webhooks sent');`, 'starts with a capital letter'],
])('reports non-plain English in %s', (code, problem) => {
  const found = findDialect(collectCode('service/src/x.ts', code));
  expect(found.join('\n')).toContain(problem);
});

test('reports non-plain English in test names, including names from tables', () => {
  const code = `test.each([1])('what is new stands %s', () => {});`;
  expect(findDialect(collectCode('service/src/x.test.ts', code))).toHaveLength(1);
});

test.each([
  ['"""What the caller asked for."""', 'begins with "What"'],
  ['    # Nobody waits\n    # for it anew.', '"anew"'],
  ['def test_says_whom_to_ask() -> None:', 'test name: "whom"'],
])('reports non-plain English in Python: %s', (code, problem) => {
  const found = findDialect(collectPython('clients/x.py', `import x\n\n${code}\n`));
  expect(found.join('\n')).toContain(problem);
  expect(found[0]).toMatch(/^clients\/x\.py:3: /);
});

test('ignores code in documents and backticked names when checking for plain English', () => {
  const text = 'Call `besides()`.\n\n```sh\nwhom anew\n```\n\nIt stands here.';
  expect(findDialect(collectDocument('docs/x.md', text))).toEqual([
    expect.stringMatching(/^docs\/x\.md:7: document: "stands"/),
  ]);
});
