import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Inputs of the build, relative to the dashboard folder. */
const SOURCES = ['index.html', 'package.json', 'vite.config.ts', 'src'];

/** Returns true if `dist` was built from the current sources. */
export function isBuilt(folder: string): boolean {
  const file = stampFile(folder);
  return existsSync(file) && readFileSync(file, 'utf8') === stampOf(folder);
}

export function noteBuilt(folder: string): void {
  writeFileSync(stampFile(folder), stampOf(folder));
}

function stampFile(folder: string): string {
  return join(folder, 'dist', '.built-from');
}

/** Hashes every name and content, except tests. */
function stampOf(folder: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesOf(join(folder, source)))) {
    if (/\.test\.tsx?$/.test(path)) continue;
    const content = readFileSync(path);
    hash.update(`${relative(folder, path).split(sep).join('/')} ${content.length}\n`);
    hash.update(content);
  }
  return `${hash.digest('hex')}\n`;
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  try {
    const names = readdirSync(path).toSorted();
    return names.flatMap((name) => filesOf(join(path, name)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
