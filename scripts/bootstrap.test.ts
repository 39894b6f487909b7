import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

type Lock = (file: string, say: (line: string) => void) => Promise<() => void>;

const require = createRequire(import.meta.url);
const { fitsLock } = require('./bootstrap.cjs') as { fitsLock(root: string): boolean };
const { cleanEnvironment } = require('../service/bin/run-npm.js') as {
  cleanEnvironment(env: Record<string, string>): Record<string, string>;
};
const { takeLock } = require('./bootstrap-lock.cjs') as { takeLock: Lock };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterbell-bootstrap-'));
  mkdirSync(join(folder, 'node_modules'));
});

afterEach(() => rmSync(folder, { recursive: true }));

interface Entry {
  version: string;
  integrity: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

function writeLocks(locked: Record<string, Entry>, installed: Record<string, Entry> | null): void {
  const lock = { packages: { '': { name: 'root' }, ...locked } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  if (installed === null) return;
  const path = join(folder, 'node_modules/.package-lock.json');
  writeFileSync(path, JSON.stringify({ packages: installed }));
}

const packageEntry = { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-a' } };
const here = { os: [process.platform], cpu: [process.arch] };
const optional = { version: '1.0.0', integrity: 'sha512-b', optional: true };

test.each<[string, Record<string, Entry>, Record<string, Entry> | null, boolean]>([
  ['the same packages', packageEntry, packageEntry, true],
  ['nothing installed', packageEntry, null, false],
  ['a package missing', packageEntry, {}, false],
  [
    'another version',
    packageEntry,
    { 'node_modules/one': { version: '1.0.1', integrity: 'sha512-a' } },
    false,
  ],
  [
    'the same version with other content',
    packageEntry,
    { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-z' } },
    false,
  ],
  [
    'an optional one of another platform missing',
    { ...packageEntry, 'node_modules/p': { ...optional, os: ['plan9'], cpu: ['mips'] } },
    packageEntry,
    true,
  ],
  [
    'an optional one of this platform missing',
    { 'node_modules/p': { ...optional, ...here } },
    {},
    false,
  ],
  [
    'one of a C library missing, which npm judges',
    { 'node_modules/p': { ...optional, ...here, libc: ['musl'] } },
    {},
    true,
  ],
])('compares installed packages with the lock file: %s', (_, locked, installed, expected) => {
  writeLocks(locked, installed);
  expect(fitsLock(folder)).toBe(expected);
});

test('removes options from an outer npm that would redirect or reduce the install', () => {
  const allowed = { PATH: '/bin', npm_config_cache: '/cache', HTTPS_PROXY: 'proxy' };
  const dropped = {
    npm_config_prefix: 'x',
    npm_config_omit: 'dev',
    npm_config_ignore_scripts: '1',
  };
  expect(cleanEnvironment({ ...allowed, ...dropped })).toEqual(allowed);
});

test('makes a second start wait until the first start has released the install lock', async () => {
  const file = join(folder, 'lock');
  const release = await takeLock(file, () => {});
  const order: string[] = [];
  let second: Promise<() => void> | undefined;
  await new Promise<void>((resolve) => {
    second = takeLock(file, (line) => {
      order.push(line);
      resolve();
    });
  });
  order.push('released');
  release();
  const releaseSecond = await second;
  expect(order).toEqual([expect.stringContaining('waiting'), 'released']);
  releaseSecond?.();
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test('takes over the install lock from a start that died', async () => {
  const file = join(folder, 'lock');
  writeFileSync(file, 'left behind\n');
  utimesSync(file, new Date(0), new Date(0));
  const release = await takeLock(file, () => {
    throw new Error('must not wait for the dead');
  });
  expect(readFileSync(file, 'utf8')).not.toBe('left behind\n');
  release();
});
