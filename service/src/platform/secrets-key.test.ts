import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from './random.ts';
import { isSecretsKeySetting, loadSecretsKeys } from './secrets-key.ts';

const random = seededRandom(4);

test('creates a key file once, readable only by its owner, if no key is configured', async () => {
  const folder = scratch();
  const options = { setting: null, folder: join(folder, 'new'), random };
  const results = await Promise.all([loadSecretsKeys(options), loadSecretsKeys(options)]);
  expect(results[0]).toEqual(results[1]);
  expect(await loadSecretsKeys(options)).toEqual(results[0]);
  expect(results[0]?.[0]).toHaveLength(32);
  const path = join(folder, 'new', 'secrets-key');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(path, 'utf8'), 'base64url')).toEqual(results[0]?.[0]);
});

test('leaves no key file behind when writing it fails, so the next start can create it', async () => {
  const folder = scratch();
  const moduleUrl = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    const { loadSecretsKeys } = await import(${moduleUrl('./secrets-key.ts')});
    const { systemRandom } = await import(${moduleUrl('./random.ts')});
    const options = { setting: null, folder: ${JSON.stringify(folder)}, random: systemRandom() };
    await loadSecretsKeys(options).catch(({ code }) => process.stdout.write(code));`;
  // A file size limit of zero has the same effect as a full disk.
  const limited = ['-c', 'ulimit -f 0 && exec "$0" --input-type=module -e "$1"'];
  const ran = spawnSync('sh', [...limited, process.execPath, script], { encoding: 'utf8' });
  expect(ran.stdout).toBe('EFBIG');
  expect(readdirSync(folder)).toEqual([]);
  expect(await loadSecretsKeys({ setting: null, folder, random })).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['secrets-key']);
});

test('reads an existing key file for read-only callers but never creates one', async () => {
  const options = { setting: null, folder: join(scratch(), 'new'), random };
  expect(await loadSecretsKeys({ ...options, createsFile: false })).toHaveLength(1);
  expect(existsSync(options.folder)).toBe(false);
  const keys = await loadSecretsKeys(options);
  expect(await loadSecretsKeys({ ...options, createsFile: false })).toEqual(keys);
});

test('reads base64 or hexadecimal keys from the setting and encrypts with the first one', async () => {
  const keys = [random.bytes(32), random.bytes(32)].map((bytes) => Buffer.from(bytes));
  const setting = `${keys[0]?.toString('base64')}, ${keys[1]?.toString('hex')}`;
  expect(await loadSecretsKeys({ setting, folder: scratch(), random })).toEqual(keys);
  expect(isSecretsKeySetting(setting)).toBe(true);
});

test.each(['', 'x', 'ab'.repeat(31), Buffer.alloc(31).toString('base64'), '*'.repeat(43)])(
  'rejects the encryption key setting %j and suggests a fix',
  async (setting) => {
    const loading = loadSecretsKeys({ setting, folder: scratch(), random });
    await expect(loading).rejects.toThrow('SECRETS_KEY must be 32 bytes');
    await expect(loading).rejects.toThrow('openssl rand -base64 32');
    expect(isSecretsKeySetting(setting)).toBe(false);
  },
);

test('rejects a damaged key file, reports its path and keeps the file', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'secrets-key'), 'half');
  const loading = loadSecretsKeys({ setting: null, folder, random });
  await expect(loading).rejects.toThrow(join(folder, 'secrets-key'));
  expect(readFileSync(join(folder, 'secrets-key'), 'utf8')).toBe('half');
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
