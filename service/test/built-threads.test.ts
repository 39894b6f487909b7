import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SERVICE = fileURLToPath(new URL('..', import.meta.url));

test('compiles every thread into the package, although no module imports it', () => {
  const config = readFileSync(`${SERVICE}/tsconfig.build.json`, 'utf8');
  const { files } = JSON.parse(config) as { files: string[] };
  const started = globSync('src/**/*.ts', { cwd: SERVICE }).flatMap((file) => {
    const code = readFileSync(`${SERVICE}/${file}`, 'utf8');
    const names = [...code.matchAll(/\? '\.\/([\w-]+-worker)\.ts'/g)].map(([, name]) => name);
    return names.map((name) => `${file.slice(0, file.lastIndexOf('/'))}/${name}.ts`);
  });
  expect(started).toContain('src/storage/engines/pglite/pglite-worker.ts');
  expect(files).toEqual(expect.arrayContaining(started));
});
