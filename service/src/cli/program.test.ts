import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixForSystemError } from './system-error-fix.ts';
import { runProgram } from './program.ts';
import { type CliContext, CliError } from './command.ts';
import { StoreKindError } from '../app/store-kind.ts';
import { SettingsError } from '../config/settings.ts';
import { SecretsKeyError } from '../platform/secrets-key.ts';
import { BackupError } from '../storage/backup/backup-error.ts';
import { NoStoreError, StoreUnavailableError } from '../storage/errors.ts';
import { StoreHeldError } from '../storage/folder/lock.ts';
import { MigrationError } from '../storage/schema/migrate.ts';

test.each([
  ['ENOSPC: no space left on device, write', /^the disk is full: free some space/],
  [
    'could not extend file "base/5/16400": No space left on device',
    /^the disk is full: free some space/,
  ],
  ['EMFILE: too many open files, open', /^too many open files: raise the limit/],
  ["EACCES: permission denied, lstat '/data/live/control.sock'", /^permission denied: start as/],
  ["EROFS: read-only file system, mkdir '/data'", /^the file system is read-only/],
  ['canceling statement due to lock timeout', /^another transaction has locked the store/],
  ['permission denied for sequence audit_event_id_seq', /^the role in DATABASE_URL needs more/],
])('suggests a fix for the system error %s', (message, fix) => {
  expect(fixForSystemError(new Error(message))).toMatch(fix);
});

test('suggests no fix for an unexpected error or a missing file', () => {
  expect(fixForSystemError(new TypeError('x is not a function'))).toBeNull();
  expect(fixForSystemError(missingFileError())).toBeNull();
});

async function runFailing(error: Error): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  const context = { env: {}, stderr: (text: string) => (stderr += text) };
  const code = await runProgram({
    argv: ['fail'],
    commands: [
      {
        name: 'fail',
        add: (program) =>
          program.command('fail').action(() => {
            throw error;
          }),
      },
    ],
    makeContext: () => context as unknown as CliContext,
  });
  return { code, stderr };
}

test('suggests a fix for a full disk instead of reporting an unexpected error', async () => {
  expect(await runFailing(new Error('ENOSPC: no space left on device, write'))).toEqual({
    code: 1,
    stderr:
      'ENOSPC: no space left on device, write\nthe disk is full: free some space, or use another disk (DATA_DIR for the store, --to for a file)\n',
  });
});

const USER_ERRORS = [
  BackupError,
  CliError,
  MigrationError,
  NoStoreError,
  SecretsKeyError,
  SettingsError,
  StoreHeldError,
  StoreKindError,
  StoreUnavailableError,
];

test.each(USER_ERRORS.map(({ name }) => name))('prints only the message of a %s', async (name) => {
  const error = Object.assign(new Error('use another folder'), { name });
  expect(await runFailing(error)).toEqual({ code: 1, stderr: 'use another folder\n' });
});

function missingFileError(): unknown {
  try {
    return readFileSync('/nowhere/at/all');
  } catch (error) {
    return error;
  }
}
