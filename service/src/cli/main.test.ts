import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const BINARY = fileURLToPath(new URL('../../bin/afterbell.js', import.meta.url));

function run(argv: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  return { status, stdout, stderr };
}

test('--version is data: on stdout, alone, with exit code 0 and no warning', () => {
  const { status, stdout, stderr } = run(['--version']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('--help names the settings of every command, and succeeds', () => {
  const { status, stdout } = run(['--help']);
  expect(status).toBe(0);
  for (const name of ['--data-dir', '--database-url', '--log-level', '--config', '--sandbox']) {
    expect(stdout).toContain(name);
  }
});

test('an unknown option is a mistake with a suggestion, nothing on stdout', () => {
  const { status, stdout, stderr } = run(['--data-dri', 'x']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('Did you mean --data-dir?');
});

test('started through a link it finds itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ab-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(BINARY, join(folder, 'afterbell'));
  const result = spawnSync(process.execPath, [join(folder, 'afterbell'), '-V'], {
    encoding: 'utf8',
  });
  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
});
