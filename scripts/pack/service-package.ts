import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runScript } from './run.ts';

interface Manifest {
  name: string;
  version: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

interface LockFile {
  packages: Record<string, object>;
}

/**
 * Writes the package of the service. Files keep their places in the repository, so that the code
 * finds its migrations, guides and web pages at the same relative paths.
 */
export function writeServicePackage(folder: string): void {
  compileService(folder);
  for (const name of [
    'LICENSE',
    'CHANGELOG.md',
    'service/migrations',
    'service/bin/package.json',
  ]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  cpSync(join(ROOT, 'service/README.md'), join(folder, 'README.md'));
  copyGuides(folder);
  copyDashboard(folder);
  const repository = readJson<Manifest>('package.json');
  const service = readJson<Manifest>('service/package.json');
  writeJson(join(folder, 'package.json'), manifest(service, repository));
  writeJson(join(folder, 'service/node-lock.json'), nodeLock(repository));
}

/**
 * Compiles the sources that the binary imports, because Node does not strip types below
 * `node_modules`. Tests and their support are not imported, so they are not compiled. Types are
 * checked elsewhere.
 */
function compileService(folder: string): void {
  const out = join(folder, 'service');
  const project = join(ROOT, 'service/tsconfig.build.json');
  runScript('node_modules/typescript/bin/tsc', '-p', project, '--noCheck', '--outDir', out);
  chmodSync(join(out, 'bin/afterbell.js'), 0o755);
}

function copyGuides(folder: string): void {
  mkdirSync(join(folder, 'docs'));
  for (const name of readdirSync(join(ROOT, 'docs')).filter((it) => it.endsWith('.md'))) {
    cpSync(join(ROOT, 'docs', name), join(folder, 'docs', name));
  }
}

function copyDashboard(folder: string): void {
  const built = join(ROOT, 'dashboard/dist');
  const to = join(folder, 'dashboard/dist');
  for (const name of ['index.html', 'assets']) {
    cpSync(join(built, name), join(to, name), { recursive: true });
  }
  // The bundler lists the licenses of scripts, but not those of fonts.
  const fonts = ['geist', 'geist-mono'].map((name) =>
    readFileSync(join(ROOT, 'node_modules/@fontsource-variable', name, 'LICENSE'), 'utf8'),
  );
  const licenses = [readFileSync(join(built, '.vite/license.md'), 'utf8'), ...fonts];
  writeFileSync(join(folder, 'dashboard/LICENSES.md'), licenses.join('\n\n'));
}

function manifest(service: Manifest, repository: Manifest): object {
  return {
    name: 'afterbell',
    version: service.version,
    description: 'Self-hosted earnings data service: REST, webhooks, MCP, dashboard',
    license: service.license,
    type: 'module',
    bin: { afterbell: 'service/bin/afterbell.js' },
    engines: repository.engines,
    dependencies: service.dependencies,
  };
}

/**
 * Returns a lock file with only the packages that contain Node. The binary installs the one of its
 * platform if it runs on an older Node.
 */
function nodeLock({ version, optionalDependencies }: Manifest): object {
  const { packages } = readJson<LockFile>('package-lock.json');
  const entries = Object.keys(optionalDependencies).map((name): [string, object | undefined] => [
    `node_modules/${name}`,
    packages[`node_modules/${name}`],
  ]);
  const root = { name: 'afterbell-node', version, optionalDependencies };
  return {
    name: root.name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(entries) },
  };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
