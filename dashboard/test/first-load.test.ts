import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

interface Chunk {
  file: string;
  imports?: readonly string[];
  css?: readonly string[];
}

const BUILT = new URL('../dist/', import.meta.url);
const MAX_BYTES = 350 * 1024;
const ENTRY = 'index.html';
/** Routes that users open first. */
const FIRST = [
  ['sign-in', ['src/routes/_auth.tsx', 'src/routes/_auth/sign-in.tsx']],
  ['the account overview', ['src/routes/_app/_account.tsx', 'src/routes/_app/_account/index.tsx']],
  ['the operator console', ['src/routes/_app/operator.tsx', 'src/routes/_app/operator/index.tsx']],
] as const;

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', BUILT), 'utf8')) as Record<
  string,
  Chunk
>;

test.each(FIRST)('%s loads less than 350 kB of gzipped code', (_where, routes) => {
  const files = new Set<string>();
  for (const route of routes) {
    const split = Object.keys(manifest).filter((key) => key.startsWith(`${route}?`));
    expect(split, route).not.toEqual([]);
    for (const key of split) collect(key, files);
  }
  collect(ENTRY, files);
  const sizes = [...files].map((file) => gzipSync(readFileSync(new URL(file, BUILT))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(100 * 1024);
  expect(total).toBeLessThan(MAX_BYTES);
});

test('serves pages without inline styles or scripts', () => {
  const page = readFileSync(fileURLToPath(new URL(ENTRY, BUILT)), 'utf8');
  for (const [, code = ''] of page.matchAll(
    /<(?:script|style)[^>]*>([^]*?)<\/(?:script|style)>/g,
  )) {
    expect(code.trim()).toBe('');
  }
});

/** Collects the files of a chunk and its static imports. */
function collect(key: string, files: Set<string>): void {
  const chunk = manifest[key];
  if (chunk === undefined || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const needed of chunk.imports ?? []) collect(needed, files);
}
