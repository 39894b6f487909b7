import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../src/cli/commands/registry.gen.ts';
import { datasets } from '../src/datasets/registry.gen.ts';
import { rangeVariant } from '../src/http/request/day-or-range.ts';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import { changesStream } from '../src/endpoints/streams/changes-stream.ts';
import { PROBLEMS } from '../src/http/problems.ts';
import { providers } from '../src/providers/registry.gen.ts';
import { settingsTable } from '../src/config/settings-table.ts';
import { templates } from '../src/webhooks/templates/registry.gen.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NO_PLUGIN = new Set(['kit']);

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function foldersOf(path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_PLUGIN.has(entry.name))
    .map((entry) => entry.name)
    .toSorted();
}

/** Returns the names, without extension, of a folder's source files that declare the constant. */
function filesDeclaring(path: string, constant: string): string[] {
  const declaration = new RegExp(`^export const ${constant}\\b`, 'm');
  return readdirSync(join(ROOT, path))
    .filter((name) => name.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(name))
    .filter((name) => declaration.test(read(`${path}/${name}`)))
    .map((name) => name.slice(0, -'.ts'.length))
    .toSorted();
}

/** Returns the items in `part` that `whole` does not contain. */
function missingFrom(part: readonly string[], whole: string): string[] {
  return part.filter((name) => !whole.includes(name));
}

test('registers every provider folder under its own name, and no other providers', () => {
  expect(providers.map((it) => it.name).toSorted()).toEqual(foldersOf('service/src/providers'));
});

test('documents every provider in a README, on the providers page and on the settings page', () => {
  const withoutReadme = providers.filter(
    (it) => !existsSync(join(ROOT, 'service/src/providers', it.name, 'readme.md')),
  );
  expect(withoutReadme.map((it) => it.name)).toEqual([]);
  const titles = providers.map((it) => `## ${it.title} (\`${it.name}\`)`);
  expect(missingFrom(titles, read('docs/providers.md'))).toEqual([]);
  const settings = providers.flatMap((it) => it.settings.map((setting) => `\`${setting.name}\``));
  expect(missingFrom(settings, read('docs/settings.md'))).toEqual([]);
});

test('registers only feeds that fill existing data sets, with at least one feed per data set', () => {
  const known: string[] = datasets.map((it) => it.name);
  const filled: string[] = providers.flatMap((it) => it.feeds).flatMap((feed) => feed.datasets);
  expect(filled.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !filled.includes(name))).toEqual([]);
  expect(known.filter((name) => !existsSync(join(ROOT, 'service/src/datasets', name)))).toEqual([]);
});

test('gives each feed a unique name within its provider', () => {
  for (const provider of providers) {
    const names = provider.feeds.map((feed) => feed.name);
    expect(new Set(names).size, provider.name).toBe(names.length);
  }
});

test('registers every endpoint file under its own name and finds a test next to it', () => {
  const names = endpoints.map((it) => it.name).toSorted();
  expect(names).toEqual(filesDeclaring('service/src/endpoints', 'endpoint'));
  const untested = names.filter(
    (name) => !existsSync(join(ROOT, 'service/src/endpoints', `${name}.test.ts`)),
  );
  expect(untested).toEqual([]);
});

test('documents exactly the registered endpoints in the OpenAPI document', () => {
  const description = JSON.parse(read('openapi/v1.json')) as {
    paths: Record<string, { get?: { operationId: string } }>;
  };
  const described = Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .map(([path, { get }]) => `${get?.operationId} ${path}`);
  // A range with a response of its own is an operation of its own.
  const registered = [...endpoints, changesStream].flatMap((it) => [
    `${it.name} ${it.path}`,
    ...(rangeVariant(it) === null ? [] : [`${it.name}-range ${it.path}/range`]),
  ]);
  expect(described.toSorted()).toEqual(registered.toSorted());
});

test('registers every command file', () => {
  expect(Object.keys(commands)).toEqual(filesDeclaring('service/src/cli/commands', 'command'));
});

test('registers every webhook template under its file name and finds a test next to it', () => {
  const files = filesDeclaring('service/src/webhooks/templates', 'template');
  const names = templates.map((it) => it.templateId.replaceAll('_', '-'));
  expect(names.toSorted()).toEqual(files);
  const untested = files.filter(
    (name) => !existsSync(join(ROOT, 'service/src/webhooks/templates', `${name}.test.ts`)),
  );
  expect(untested).toEqual([]);
});

test('documents every error code in its own section of the errors page, with no extra sections', () => {
  const sections = [...read('docs/errors.md').matchAll(/^## (.+)$/gm)].map(
    (match) => match[1] ?? '',
  );
  expect(sections.toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
});

test('documents every setting on the settings page', () => {
  const specs = Object.values<{ name: string; flagOnly?: boolean }>(settingsTable);
  const names = specs.filter((spec) => !spec.flagOnly).map((spec) => `| \`${spec.name}\` |`);
  expect(names.length).toBeGreaterThan(5);
  expect(missingFrom(names, read('docs/settings.md'))).toEqual([]);
});
