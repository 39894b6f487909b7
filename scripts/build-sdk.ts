import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm run build:sdk writes the client library as a package to sdk/dist
// npm run build:sdk -- FOLDER writes it to FOLDER, which must be empty
//
// Within the repository, the sources run directly. Elsewhere they must be compiled, because Node
// does not strip types in packages.

const root = fileURLToPath(new URL('..', import.meta.url));
const defaultFolder = join(root, 'sdk', 'dist');
const folder = resolve(process.argv[2] ?? defaultFolder);

// Deletes only the default folder, because its contents were written by this program.
if (folder === defaultFolder) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) {
  console.error(`${folder} is not empty; use an empty or new folder.`);
  process.exit(1);
}
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(
  process.execPath,
  [tsc, '-p', join(root, 'sdk', 'tsconfig.build.json'), '--outDir', folder],
  { stdio: 'inherit' },
);
if (status === 0) {
  for (const name of readdirSync(folder).filter((it) => it.endsWith('.d.ts'))) nameJs(name);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const path of ['sdk/README.md', 'LICENSE']) {
    cpSync(join(root, path), join(folder, path.split('/').at(-1) ?? path));
  }
  console.log(`Wrote the package. To pack it, run: npm pack ${folder}`);
} else {
  process.exitCode = 1;
}

/**
 * Replaces the names of source files in declarations. The compiler does not change them, and some
 * tools cannot resolve them.
 */
function nameJs(name: string): void {
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/ from '(\.\/[\w.-]+)\.ts';/g, " from '$1.js';"));
}

/** Returns the contents of sdk/package.json, with built files instead of sources. */
function manifest(): object {
  const source = readFileSync(join(root, 'sdk', 'package.json'), 'utf8');
  const { private: _, exports: __, ...rest } = JSON.parse(source) as Record<string, unknown>;
  const types = './index.d.ts';
  return {
    ...rest,
    types,
    // Uses `default` instead of `import`, since a CommonJS program may require the package too.
    exports: { '.': { types, default: './index.js' }, './package.json': './package.json' },
    engines: { node: '>=20.19' },
  };
}
