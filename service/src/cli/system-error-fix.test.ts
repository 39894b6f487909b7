import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixForSystemError } from './system-error-fix.ts';
import { runProgram } from './program.ts';
import type { CliContext } from './command.ts';

test.each([
  ['ENOSPC: no space left on device, write', /^the disk is full: free some space/],
  ["EACCES: permission denied, lstat '/data/live/control.sock'", /^permission denied: start as/],
  ["EROFS: read-only file system, mkdir '/data'", /^the file system is read-only/],
])('suggests a fix for %s', (message, fix) => {
  expect(fixForSystemError(new Error(message))).toMatch(fix);
});

test('suggests no fix for a bug or a missing file', () => {
  expect(fixForSystemError(new TypeError('x is not a function'))).toBeNull();
  expect(fixForSystemError(missingFileError())).toBeNull();
});

test('reports a full disk with its fix instead of an unexpected error', async () => {
  let stderr = '';
  const context = { env: {}, stderr: (text: string) => (stderr += text) };
  const code = await runProgram({
    argv: ['fill'],
    commands: [
      {
        name: 'fill',
        add: (program) =>
          program.command('fill').action(() => {
            throw new Error('ENOSPC: no space left on device, write');
          }),
      },
    ],
    makeContext: () => context as unknown as CliContext,
  });
  expect([code, stderr]).toEqual([
    1,
    'ENOSPC: no space left on device, write\nthe disk is full: free some space, or use another disk (DATA_DIR for the store, --to for a file)\n',
  ]);
});

function missingFileError(): unknown {
  try {
    return readFileSync('/nowhere/at/all');
  } catch (error) {
    return error;
  }
}
