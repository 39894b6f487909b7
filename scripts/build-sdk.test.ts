import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Tests the package the way users install it: in a separate project, without access to our sources.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'afterbell-sdk-'));
const packed = join(project, 'node_modules', '@afterbell', 'sdk');

beforeAll(() => {
  run(join(ROOT, 'scripts', 'build-sdk.ts'), packed);
});
afterAll(() => rmSync(project, { recursive: true }));

function run(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  return stdout + stderr;
}

function write(name: string, text: string): string {
  writeFileSync(join(project, name), text);
  return name;
}

test('includes the code, its types, a readme and the license in the package', () => {
  const names = readdirSync(packed);
  expect(names).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'README.md', 'LICENSE']));
  expect(names.filter((name) => /test|(?<!\.d)\.ts$|tsbuildinfo/.test(name))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ name: '@afterbell/sdk', license: 'Apache-2.0' });
  expect(manifest).not.toHaveProperty('private');
});

test('leaves a non-empty target folder unchanged', () => {
  write('mine.txt', 'mine');
  expect(run(join(ROOT, 'scripts', 'build-sdk.ts'), project)).toContain('is not empty');
  expect(readFileSync(join(project, 'mine.txt'), 'utf8')).toBe('mine');
});

test('imports nothing from Node, so that browsers and workers can load the package', () => {
  for (const name of readdirSync(packed).filter((it) => it.endsWith('.js'))) {
    const text = readFileSync(join(packed, name), 'utf8');
    const from = [...text.matchAll(/(?:from|import|require)\s*\(?\s*'([^']+)'/g)];
    for (const [, source] of from) expect(source).toMatch(/^\.\/[\w.-]+\.js$/);
    expect(text).not.toMatch(/\b(?:process|Buffer|__dirname)\b\./);
  }
});

const USE = `
if (readUrl('http://x', '/v1/y') !== 'http://x/v1/y') throw new Error('another address');
verifyWebhook('', {}, 'whsec_x').then(({ reason }) => console.log('ran', reason));
`;

test('builds a package that modules can import and CommonJS can require', () => {
  const names = '{ readUrl, verifyWebhook }';
  expect(run(write('use.mjs', `import ${names} from '@afterbell/sdk';${USE}`))).toBe(
    'ran missing\n',
  );
  expect(run(write('use.cjs', `const ${names} = require('@afterbell/sdk');${USE}`))).toBe(
    'ran missing\n',
  );
});

test.each([
  { module: 'node20', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
])('builds types that compile in a strict project with $moduleResolution', (options) => {
  write(
    'use.mts',
    `import { createReadClient, ReadError } from '@afterbell/sdk';
import type { CompanyProfile } from '@afterbell/sdk';
const client = createReadClient({ baseUrl: 'http://x', apiKey: 'k' });
export async function price(symbol: string, asOf: string | undefined): Promise<number | null> {
  const { data } = await client.get('/v1/profile/{symbol}', { symbol, asOf });
  const profile: CompanyProfile = data;
  return profile.price;
}
// @ts-expect-error -- a symbol is required
void client.get('/v1/profile/{symbol}');
// @ts-expect-error -- no such path
void client.get('/v1/profiles');
export const isQuota = (error: unknown) =>
  error instanceof ReadError && error.code === 'quota-exceeded';
`,
  );
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    ...options,
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['use.mts'] }));
  expect(run(join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project)).toBe('');
});
