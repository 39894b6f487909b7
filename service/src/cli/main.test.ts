import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from './commands/registry.gen.ts';
import { invocationFolder, loadCommands } from './main.ts';

const BINARY = fileURLToPath(new URL('../../bin/afterbell.js', import.meta.url));

function run(argv: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  return { status, stdout, stderr };
}

test('prints only the version for --version and exits with 0', () => {
  const { status, stdout, stderr } = run(['--version']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('lists the options of every command for --help and exits with 0', () => {
  const { status, stdout } = run(['--help']);
  expect(status).toBe(0);
  for (const name of ['--data-dir', '--database-url', '--log-level', '--config', '--sandbox']) {
    expect(stdout).toContain(name);
  }
});

test('rejects an unknown option with a suggestion and prints nothing to stdout', () => {
  const { status, stdout, stderr } = run(['--data-dri', 'x']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('Did you mean --data-dir?');
});

test('starts when run through a symbolic link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ab-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(BINARY, join(folder, 'afterbell'));
  const result = spawnSync(process.execPath, [join(folder, 'afterbell'), '-V'], {
    encoding: 'utf8',
  });
  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
});

const namesFor = async (line: string) => {
  const loaded = await loadCommands(line === '' ? [] : line.split(' '));
  return loaded.map(({ name }) => name);
};

test('imports only the command that appears in the command line', async () => {
  expect(await namesFor('keys create --customer cus_1')).toEqual(['keys']);
  expect(await namesFor('--sandbox --config a.env market-status')).toEqual(['market-status']);
});

test('also imports a command whose name appears as the value of an argument', async () => {
  expect(await namesFor('customers add keys')).toEqual(['customers', 'keys']);
});

test.each(['', '--help', 'help', '-h', 'keys --help', 'help keys', 'kyes', '--version'])(
  'imports all commands for "%s", to list them or to suggest the closest name',
  async (line) => {
    expect(await namesFor(line)).toEqual(Object.keys(commands));
  },
);

test('registers every command under its own name', async () => {
  for (const [name, load] of Object.entries(commands)) expect((await load()).name).toBe(name);
});

const npm = { INIT_CWD: '/home/me', npm_package_json: '/repo/package.json' };

test.each([
  ['uses INIT_CWD in the folder npm changed to', npm, '/repo', '/home/me'],
  ['uses the current folder without npm', {}, '/repo', '/repo'],
  ['uses the current folder if a script under npm changed it', npm, '/tmp/test', '/tmp/test'],
  ['ignores INIT_CWD without a package.json', { INIT_CWD: '/home/me' }, '/repo', '/repo'],
  ['ignores a relative INIT_CWD', { ...npm, INIT_CWD: 'me' }, '/repo', '/repo'],
  ['ignores an INIT_CWD that does not exist', { ...npm, INIT_CWD: '/gone' }, '/repo', '/repo'],
])('%s', (_, env, cwd, expected) => {
  expect(invocationFolder(env, cwd, (path) => path !== '/gone')).toBe(expected);
});
