import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../service/src/ingest/jobs.ts';
import type { Provider } from '../service/src/providers/provider.ts';
import { endpointAccess } from './gen/endpoints-page.ts';
import { generate } from './gen/generate.ts';
import { outputs } from './gen/outputs.ts';
import { createPlugin, KINDS } from './new/create.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'sample-thing';
const COPIED = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  'README.md',
  'docs/ingest.md',
  'docs/sources-and-terms.md',
  'service/package.json',
  'service/migrations',
  'service/src',
  'service/test/support',
];

let copy: string;
let written: string[];

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'afterbell-new-'));
  mkdirSync(join(copy, 'service'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  for (const folder of ['node_modules', 'service/node_modules']) {
    if (existsSync(join(ROOT, folder))) symlinkSync(join(ROOT, folder), join(copy, folder), 'dir');
  }
  written = KINDS.flatMap((kind) => {
    const created = createPlugin({ root: copy, kind, name: NAME });
    if ('problem' in created) throw new Error(created.problem);
    return created.written;
  });
});

afterAll(() => rmSync(copy, { recursive: true }));

/**
 * Runs one of the repository's tools in the copied repository, on the Node that runs this process.
 */
function run(tool: string, ...args: string[]): { status: number | null; output: string } {
  const executable = join(ROOT, 'node_modules/.bin', tool);
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, output: stdout + stderr };
}

const sources = (): string[] => written.filter((path) => path.endsWith('.ts'));

test('offers skeletons for a provider, an endpoint and a template', () => {
  expect(KINDS).toEqual(['provider', 'endpoint', 'template']);
});

test('writes skeletons whose tests pass', () => {
  const tests = written.filter((path) => path.endsWith('.test.ts'));
  expect(tests).toHaveLength(KINDS.length + 1);
  const { status, output } = run('vitest', 'run', '--root', copy, ...tests);
  expect(output).toContain(`${tests.length} passed`);
  expect(status).toBe(0);
});

test('writes skeletons that type-check', () => {
  const { output } = run('tsc', '-p', 'tsconfig.json', '--pretty', 'false');
  expect(output.split('\n').filter((line) => line.includes(NAME))).toEqual([]);
});

test('writes skeletons that pass the linter', () => {
  const { status, output } = run('oxlint', '--deny-warnings', ...sources());
  expect(output).toContain('Found 0 warnings and 0 errors');
  expect(status).toBe(0);
});

test("writes skeletons in the formatter's style", () => {
  expect(run('oxfmt', '--check', ...written)).toMatchObject({ status: 0 });
});

test('schedules and ranks a new source without an edit to any other file', async () => {
  const paths = /(providers\/registry|precedence)\.gen\.ts$|^README|^docs\/(ingest|sources)/;
  const own = outputs.filter(({ path }) => paths.test(path));
  await generate({ root: copy, outputs: own, check: false });
  const { providers } = await load<{ providers: Provider[] }>('providers/registry.gen.ts');
  const { jobsOf } = await load<{ jobsOf(of: Provider[]): Job[] }>('ingest/jobs.ts');
  expect(jobsOf(providers).filter(({ provider }) => provider === NAME)).toMatchObject([
    { id: `${NAME}/companies/nightly`, scope: 'all', priority: 'routine' },
  ]);
  const { rankOf } = await load<{ rankOf(value: string, source: object): number }>(
    'datasets/precedence.ts',
  );
  const ranks = ['nasdaq', NAME, 'unranked'].map((provider) =>
    rankOf('profiles.country', { provider, feed: 'companies' }),
  );
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks).size).toBe(3);
  const rows = ['README.md', 'docs/ingest.md', 'docs/sources-and-terms.md'].map((path) =>
    readFileSync(join(copy, path), 'utf8')
      .split('\n')
      .find((line) => line.includes(NAME)),
  );
  expect(rows).toEqual([
    expect.stringMatching(/names and exchanges of companies .* no right to redistribute/),
    expect.stringMatching(/companies` .* profiles .* every day 05:50 \(routine\)/),
    expect.stringContaining(`nasdaq, ${NAME}/companies, others`),
  ]);
});

async function load<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(copy, 'service/src', path)).href)) as T;
}

test('generates everything by which an endpoint is reached, also for a new one', async () => {
  await generate({ root: copy, outputs, check: false });
  const everywhere = {
    operationId: expect.any(String) as string,
    typescript: expect.any(String) as string,
    python: expect.any(String) as string,
    mcpTool: expect.any(String) as string,
    datasetsWithoutTable: [],
  };
  const access = (await endpointAccess(copy)) ?? [];
  expect(access.map(({ path }) => path)).toContain(`/v1/${NAME}`);
  expect(access.length).toBeGreaterThan(15);
  for (const row of access) expect(row).toMatchObject(everywhere);
  expect(access.find(({ path }) => path === '/v1/bars')?.hasCsv).toBe(true);

  for (const path of ['sdk/src/reads.gen.ts', 'clients/python/src/afterbell/client.py']) {
    writeFileSync(join(copy, path), '');
  }
  writeFileSync(join(copy, 'openapi/v1.json'), '{"paths":{}}');
  const missing = { operationId: null, typescript: null, python: null };
  for (const row of (await endpointAccess(copy)) ?? []) expect(row).toMatchObject(missing);
});

test('never overwrites an existing plug-in', () => {
  const again = createPlugin({ root: copy, kind: 'endpoint', name: NAME });
  expect(again).toEqual({ problem: expect.stringContaining('already exists') });
});

test.each(['Two Words', '../escape', 'UPPER', '9lives', 'a--b', ''])(
  'rejects the plug-in name %j, which is not in kebab case',
  (name) => {
    const result = createPlugin({ root: copy, kind: 'provider', name });
    expect(result).toEqual({ problem: expect.stringContaining('kebab case') });
  },
);
