import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mendMachine } from './machine-trouble.ts';
import { runProgram } from './program.ts';
import type { CliContext } from './command.ts';

test.each([
  ['ENOSPC: no space left on device, write', /^the disk is full: make room/],
  ["EACCES: permission denied, lstat '/data/live/control.sock'", /^this user may not: start as/],
  ["EROFS: read-only file system, mkdir '/data'", /^the file system cannot be written/],
])('of %s it is said how to mend it', (message, mend) => {
  expect(mendMachine(new Error(message))).toMatch(mend);
});

test('a fault of the program, or a file that is not there, is none of the machine', () => {
  expect(mendMachine(new TypeError('x is not a function'))).toBeNull();
  expect(mendMachine(gone())).toBeNull();
});

test('a command that ends on a full disk says so, and not that it is unexpected', async () => {
  let said = '';
  const context = { env: {}, stderr: (text: string) => (said += text) };
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
  expect([code, said]).toEqual([
    1,
    'ENOSPC: no space left on device, write\nthe disk is full: make room, or name another disk (DATA_DIR for the store, --to for a file)\n',
  ]);
});

function gone(): unknown {
  try {
    return readFileSync('/nowhere/at/all');
  } catch (error) {
    return error;
  }
}
