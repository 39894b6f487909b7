import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A source file as seen by the import rules. Paths are relative to `service/src` and use `/`. */
export interface SourceFile {
  path: string;
  /** Source code without comments. */
  code: string;
  imports: readonly Import[];
}

export interface Import {
  /** The specifier as written in the source. */
  specifier: string;
  /**
   * Path of the imported file, relative to `service/src`. Null for a package or a built-in module.
   */
  path: string | null;
  /** Imported names, as written between `import` and `from`. Empty for a bare import. */
  names: string;
}

const FROM = /\b(?:import|export)\b([^'"`;]*?)\bfrom\s*['"]([^'"]+)['"]/g;
const BARE = /\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

/** Reads every source file below `root`, except tests and fixtures. */
export function readSourceFiles(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => !path.includes('/fixtures/'))
    .toSorted()
    .map((path) => makeSourceFile(path, readFileSync(join(root, path), 'utf8')));
}

export function makeSourceFile(path: string, text: string): SourceFile {
  const code = text.replaceAll(/(^|\s)\/\*[\s\S]*?\*\//g, '$1').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
  const imports: Import[] = [];
  for (const match of code.matchAll(FROM)) {
    imports.push(makeImport(path, match[2] ?? '', (match[1] ?? '').trim()));
  }
  for (const match of code.matchAll(BARE)) imports.push(makeImport(path, match[1] ?? '', ''));
  return { path, code, imports };
}

function makeImport(from: string, specifier: string, names: string): Import {
  const isRelative = specifier.startsWith('.');
  const path = isRelative ? normalize(join(dirname(from), specifier)).replaceAll('\\', '/') : null;
  return { specifier, path, names };
}
