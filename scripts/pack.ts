import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildWheel } from './pack/build-wheel.ts';
import { findDependencyProblems } from './pack/dependency-problems.ts';
import { ROOT, run, runScript } from './pack/run.ts';
import { writeServicePackage } from './pack/service-package.ts';

// npm run pack writes the packages of a release to dist: the service, the client library for
// TypeScript and the wheel of the Python client
// npm run pack -- FOLDER writes them to FOLDER

/** Paths of the packed files. */
export interface Packed {
  service: string;
  sdk: string;
  wheel: string;
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist'));
  const packed = await pack(folder);
  for (const path of Object.values(packed) as string[]) {
    const kilobytes = Math.round(statSync(path).size / 1024);
    console.log(`${String(kilobytes).padStart(6)} KB  ${path}`);
  }
}

/** Builds and packs everything. Existing packages of the same version are replaced. */
export async function pack(folder: string): Promise<Packed> {
  requireOneVersion();
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'afterbell-pack-'));
  try {
    const wheel = buildWheel(folder);
    runScript('scripts/build-dashboard.ts');
    const service = join(scratch, 'service');
    writeServicePackage(service);
    const problems = findDependencyProblems(service);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const sdk = join(scratch, 'sdk');
    runScript('scripts/build-sdk.ts', sdk);
    return {
      service: packFolder(service, folder),
      sdk: packFolder(sdk, folder),
      wheel: await wheel,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function packFolder(source: string, destination: string): string {
  const args = ['pack', source, '--pack-destination', destination, '--loglevel=error'];
  const name = run('npm', args).trim().split('\n').at(-1) ?? '';
  return join(destination, name);
}

/** Throws if the packages have different versions, because they are released together. */
function requireOneVersion(): void {
  const manifests = ['package.json', 'service/package.json', 'sdk/package.json'];
  const versions = manifests.map((path) => /"version": "([^"]+)"/.exec(read(path))?.[1]);
  versions.push(/^version = "([^"]+)"/m.exec(read('clients/python/pyproject.toml'))?.[1]);
  if (new Set(versions).size > 1) {
    throw new Error(`the packages have different versions: ${versions.join(', ')}`);
  }
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
