import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../src/cli/commands/registry.gen.ts';
import { datasets } from '../src/datasets/registry.gen.ts';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import { PROBLEMS } from '../src/http/problems.ts';
import { jobsOf } from '../src/ingest/jobs.ts';
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

/** Source files of a folder that declare the constant, by name without extension. */
function filesDeclaring(path: string, constant: string): string[] {
  const declaration = new RegExp(`^export const ${constant}\\b`, 'm');
  return readdirSync(join(ROOT, path))
    .filter((name) => name.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(name))
    .filter((name) => declaration.test(read(`${path}/${name}`)))
    .map((name) => name.slice(0, -'.ts'.length))
    .toSorted();
}

/** Those of `part` that the text does not hold. */
function missingFrom(part: readonly string[], whole: string): string[] {
  return part.filter((name) => !whole.includes(name));
}

test('every provider folder is in the registry under its own name, and nothing else is', () => {
  expect(providers.map((it) => it.name).toSorted()).toEqual(foldersOf('service/src/providers'));
});

test('every provider has a readme, and the providers page and the settings page speak of it', () => {
  const withoutReadme = providers.filter(
    (it) => !existsSync(join(ROOT, 'service/src/providers', it.name, 'readme.md')),
  );
  expect(withoutReadme.map((it) => it.name)).toEqual([]);
  const titles = providers.map((it) => `## ${it.title} (\`${it.name}\`)`);
  expect(missingFrom(titles, read('docs/providers.md'))).toEqual([]);
  const settings = providers.flatMap((it) => it.settings.map((setting) => `\`${setting.name}\``));
  expect(missingFrom(settings, read('docs/settings.md'))).toEqual([]);
});

test('the guide to gathering says when each source that runs by the clock is asked', () => {
  const rows = read('docs/ingest.md').split('\n');
  const named = rows.flatMap((row) => row.split('|')[2]?.trim().split(', ') ?? []);
  const asked = new Set(jobsOf(providers).map((job) => job.provider));
  expect([...asked].filter((name) => !named.includes(name))).toEqual([]);
});

test('every feed fills data sets that exist, and every data set is filled by some feed', () => {
  const known: string[] = datasets.map((it) => it.name);
  const filled: string[] = providers.flatMap((it) => it.feeds).flatMap((feed) => feed.datasets);
  expect(filled.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !filled.includes(name))).toEqual([]);
  expect(known.filter((name) => !existsSync(join(ROOT, 'service/src/datasets', name)))).toEqual([]);
});

test('feeds have names of their own within their provider', () => {
  for (const provider of providers) {
    const names = provider.feeds.map((feed) => feed.name);
    expect(new Set(names).size, provider.name).toBe(names.length);
  }
});

test('every endpoint file is in the registry under its own name, and has a test', () => {
  const names = endpoints.map((it) => it.name).toSorted();
  expect(names).toEqual(filesDeclaring('service/src/endpoints', 'endpoint'));
  const untested = names.filter(
    (name) => !existsSync(join(ROOT, 'service/src/endpoints', `${name}.test.ts`)),
  );
  expect(untested).toEqual([]);
});

test('the interface description holds exactly the registered endpoints', () => {
  const description = JSON.parse(read('openapi/v1.json')) as {
    paths: Record<string, { get?: { operationId: string } }>;
  };
  const described = Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .map(([path, { get }]) => `${get?.operationId} ${path}`);
  const registered = endpoints.map((it) => `${it.name} ${it.path}`);
  expect(described.toSorted()).toEqual(registered.toSorted());
});

test('every command file is in the registry', () => {
  expect(Object.keys(commands)).toEqual(filesDeclaring('service/src/cli/commands', 'command'));
});

test('every webhook template is in the registry, named after its file, and has a test', () => {
  const files = filesDeclaring('service/src/webhooks/templates', 'template');
  const names = templates.map((it) => it.templateId.replaceAll('_', '-'));
  expect(names.toSorted()).toEqual(files);
  const untested = files.filter(
    (name) => !existsSync(join(ROOT, 'service/src/webhooks/templates', `${name}.test.ts`)),
  );
  expect(untested).toEqual([]);
});

test('the page of errors has a section for every code, and no other', () => {
  const sections = [...read('docs/errors.md').matchAll(/^## (.+)$/gm)].map(
    (match) => match[1] ?? '',
  );
  expect(sections.toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
});

test('the page of settings has every setting', () => {
  const specs = Object.values<{ name: string; flagOnly?: boolean }>(settingsTable);
  const names = specs.filter((spec) => !spec.flagOnly).map((spec) => `| \`${spec.name}\` |`);
  expect(names.length).toBeGreaterThan(5);
  expect(missingFrom(names, read('docs/settings.md'))).toEqual([]);
});

test('the readme lists exactly the endpoints that are registered', () => {
  const rows = [...read('README.md').matchAll(/^\| `GET ([^`?]+)[^`]*` /gm)];
  const here = rows.map((match) => match[1] ?? '');
  expect(here.toSorted()).toEqual(endpoints.map((it) => it.path).toSorted());
});
