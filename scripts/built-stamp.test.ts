import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuilt, noteBuilt } from './built-stamp.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterbell-built-'));
  mkdirSync(join(folder, 'src', 'routes'), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  write('index.html', '<p>');
  write('src/routes/one.tsx', 'one');
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

test('reports a folder as not built before a build stamp is written', () => {
  expect(isBuilt(folder)).toBe(false);
  noteBuilt(folder);
  expect(isBuilt(folder)).toBe(true);
});

test.each<[string, () => void]>([
  ['another text', () => write('src/routes/one.tsx', 'two')],
  ['a new file', () => write('src/two.ts', '')],
  ['a missing file', () => rmSync(join(folder, 'src/routes/one.tsx'))],
  [
    'text moved from one file to the next',
    () => {
      write('src/a.ts', '');
      write('src/b.ts', 'x');
      noteBuilt(folder);
      write('src/a.ts', 'x');
      write('src/b.ts', '');
    },
  ],
  ['a dist that was thrown away', () => rmSync(join(folder, 'dist'), { recursive: true })],
])('requires a new dashboard build after %s', (_what, change) => {
  noteBuilt(folder);
  change();
  expect(isBuilt(folder)).toBe(false);
});

test('does not require a new dashboard build after a test changes', () => {
  noteBuilt(folder);
  write('src/one.test.ts', 'changed');
  expect(isBuilt(folder)).toBe(true);
});
