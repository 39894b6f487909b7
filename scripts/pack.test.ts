import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDependencyProblems } from './pack/dependency-problems.ts';
import {
  type InstalledService,
  installPackage,
  type Project,
  startInstalled,
} from './pack/installed-service.ts';
import { ROOT, run } from './pack/run.ts';
import { pack, type Packed } from './pack.ts';

// Installs the packages of a release into empty folders and uses them.

const MEGABYTES_MAX = 130;

const scratch = mkdtempSync(join(tmpdir(), 'afterbell-pack-test-'));
let packed: Packed;
let project: Project;
let megabytes: number;
let service: InstalledService;

beforeAll(async () => {
  packed = await pack(join(scratch, 'packed'));
  project = installPackage(join(scratch, 'service'), packed.service);
  megabytes = Number(/^\d+/.exec(run('du', ['-sm', project.folder]))?.[0]);
  service = await startInstalled(project);
}, 400_000);
afterAll(async () => {
  await service.stop();
  rmSync(scratch, { recursive: true });
});

test('installs less than 130 MB from the tarball of the service', () => {
  console.log(`The service and its packages: ${megabytes} MB`);
  expect(megabytes).toBeGreaterThan(20);
  expect(megabytes).toBeLessThan(MEGABYTES_MAX);
});

test('answers a request with the printed key when installed from a tarball', async () => {
  const response = await fetch(`${service.url}/v1/market-status?apikey=${service.key}`);
  expect(await response.json()).toMatchObject({ timezone: 'America/New_York' });
});

test('prints a line for each part of a first start', () => {
  for (const event of ['store.opening', 'store.migrating', 'sandbox.loading']) {
    expect(service.stderr).toContain(`"event":"${event}"`);
  }
});

test('serves the dashboard, the API reference and the guides from the package', async () => {
  const text = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };
  const asset = /\/dashboard\/assets\/[\w-]+\.js/.exec(await text('/dashboard'))?.[0];
  expect(await text(asset ?? 'none')).toContain('import');
  expect(await text('/docs')).toContain('/docs/reference.js');
  expect((await text('/docs/reference.js')).length).toBeGreaterThan(1_000_000);
  expect(await text('/guides/webhooks')).toContain('<h1');
});

test('runs the commands of the installed package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(project.run('node_modules/.bin/afterbell', '--version').trim()).toBe(version);
  const options = ['--format', 'parquet', '--dataset', 'profiles', '--to', 'out'];
  project.run('node_modules/.bin/afterbell', 'export', ...options);
  const profiles = readFileSync(join(project.folder, 'out/latest/profiles/all.parquet'));
  expect(profiles.subarray(0, 4).toString()).toBe('PAR1');
});

test('serves MCP on standard input and output from the installed package', async () => {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        join(project.folder, 'node_modules/.bin/afterbell'),
        'mcp',
        '--service-url',
        service.url,
      ],
      env: { PATH: process.env['PATH'] ?? '', SERVICE_API_KEY: service.key },
    }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('earnings');
  await client.close();
});

test('reads from the service with the packed client library, compiled in an empty project', () => {
  const user = installPackage(join(scratch, 'sdk'), packed.sdk);
  const main = `import { createReadClient } from '@afterbell/sdk';
const client = createReadClient({ baseUrl: '${service.url}', apiKey: '${service.key}' });
const { data } = await client.get('/v1/market-status');
const isOpen: boolean = data.isTodayOpen;
console.log(typeof isOpen);
`;
  writeFileSync(join(user.folder, 'main.ts'), main);
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022' };
  const options = { compilerOptions: { ...compilerOptions, lib: ['es2022', 'dom'], types: [] } };
  writeFileSync(join(user.folder, 'tsconfig.json'), JSON.stringify(options));
  user.run(process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', user.folder);
  expect(user.run('node', 'main.js')).toBe('boolean\n');
});

test('reads from the service with the packed Python client in an empty environment', () => {
  const folder = join(scratch, 'python');
  // The pip that built the wheel installs it, which spares a second pip.
  const pip = join(ROOT, 'node_modules/.cache/wheel/bin/pip');
  run('python3', ['-m', 'venv', '--without-pip', folder]);
  const python = join(folder, 'bin/python');
  run(pip, ['--python', python, 'install', '--quiet', '--no-compile', packed.wheel]);
  const code = `import afterbell
client = afterbell.Client("${service.url}", "${service.key}")
print(type(client.market_status().is_today_open).__name__)`;
  expect(run(python, ['-c', code])).toBe('bool\n');
});

/** Returns the text of every file of an installed package by its path. */
function filesOf(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    paths
      .filter((path) => !path.includes('/node_modules/.cache/'))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  );
}

test('packs no tests, fixtures, recordings, source maps or paths of this machine', () => {
  const unwanted =
    /(^|\/)(tests?|fixtures|recordings|adr|screenshots)\/|\.test\.|\.map$|\.built-from/;
  const folders = ['service/node_modules/afterbell', 'sdk/node_modules/@afterbell/sdk'];
  for (const folder of folders) {
    const files = filesOf(join(scratch, folder));
    expect(files.size).toBeGreaterThan(5);
    for (const [path, text] of files) {
      expect(path).not.toMatch(unwanted);
      expect(path).not.toMatch(/(?<!\.d)\.tsx?$/);
      for (const secret of [ROOT, homedir() + '/', scratch, '\n//# sourceMappingURL=']) {
        expect(text.includes(secret), `${path} contains ${secret}`).toBe(false);
      }
    }
  }
});

test('reports imports without a dependency, and dependencies without an import', () => {
  const folder = join(scratch, 'planted');
  mkdirSync(folder);
  const manifest = { dependencies: { used: '1.0.0', unused: '1.0.0', '@scope/used': '1.0.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const code = `import 'used/part';\nimport { a } from '@scope/used';\nexport * from 'missing';
import 'node:fs';\nimport './file.js';\nconst b = await import('also-missing');\n`;
  writeFileSync(join(folder, 'index.js'), code);
  expect(findDependencyProblems(folder)).toEqual([
    'index.js imports missing, not a dependency',
    'index.js imports also-missing, not a dependency',
    'nothing imports the dependency unused',
  ]);
});
