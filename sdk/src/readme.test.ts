import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Declarations that the readme's code samples rely on. */
const AROUND = `
declare const apiKey: string;
declare let lastId: string;
declare const rawBody: Uint8Array;
declare const request: Request;
declare const secret: string;
declare function wasProcessed(deliveryId: string): Promise<boolean>;
declare function store(delivery: import('@afterbell/sdk').WebhookDelivery): Promise<void>;
`;

test('compiles the code samples in the readme against the library', () => {
  const samples = [...README.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(samples).toHaveLength(3);
  expect(compile(samples.map(inAFunction))).toBe('');
});

test('rejects a code sample that uses an unknown name', () => {
  const sample = "import { readUri } from '@afterbell/sdk';\nreadUri('');\n";
  expect(compile([inAFunction(sample)])).toMatch(/no exported member (?:named )?'readUri'/);
});

/** Wraps a code sample in a handler function, so that it can use await and return. */
function inAFunction(sample: string): string {
  const [, imports = '', code = ''] = /^((?:import .*\n)*)([^]*)$/.exec(sample) ?? [];
  return `${imports}${AROUND}export async function sample() {\n${code}}\n`;
}

/** Returns the compiler's errors, or empty text if there are none. */
function compile(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  files.forEach((text, n) => writeFileSync(join(folder, `sample-${n}.mts`), text));
  const compilerOptions = {
    noEmit: true,
    noUnusedLocals: false,
    typeRoots: [join(ROOT, 'node_modules', '@types')],
    paths: { '@afterbell/sdk': [join(ROOT, 'sdk', 'src', 'index.ts')] },
  };
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}
