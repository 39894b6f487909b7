import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { readSettings } from '../../config/settings.ts';
import { type CliContext, CliError, type StoreChoice } from '../command.ts';
import { loadCommands } from '../main.ts';
import { runProgram } from '../program.ts';

/**
 * Returns how a command line opens its store. Opening the store fails, which stops the command
 * there.
 */
async function choiceOf(line: string): Promise<StoreChoice | undefined> {
  const argv = line.split(' ');
  let requested: StoreChoice | undefined;
  const context = {
    stdout: () => undefined,
    stderr: () => undefined,
    env: {},
    cwd: '/',
    clock: fakeClock(Date.UTC(2026, 10, 20)),
    isTerminal: false,
    settings: () => readSettings({ flags: {}, env: {}, cwd: '/', sources: [] }),
    openStore(choice: StoreChoice = {}) {
      requested = choice;
      return Promise.reject(new CliError('stopped by the test'));
    },
  } as unknown as CliContext;
  await runProgram({ argv, commands: await loadCommands(argv), makeContext: () => context });
  return requested;
}

test.each([
  'keys create',
  'customers create A',
  'plans add a --per-minute 5',
  'replay /no/folder',
  'users create a@b.example --role operator',
  'ingest run --source nasdaq',
  'ingest backfill --source nasdaq --from 2026-11-01',
])('%s creates a missing store', async (line) => {
  expect((await choiceOf(line))?.mayCreate).toBe(true);
});

test.each([
  'backup --to x.tar',
  'export --dataset all --to x',
  'doctor',
  'ingest reset-ahead',
  'quotas reset-ahead',
  'keys list',
  'keys roll k',
  'keys revoke k',
  'customers list',
  'customers rename A B',
  'plans list',
  'plans set a --per-minute 5',
  'plans remove a',
  'users list',
  'users reset-password a@b.example',
  'users disable a@b.example',
  'webhooks list',
  'webhooks add https://a.example/ --customer A',
  'webhooks deliveries whe_1',
])('%s never creates a store', async (line) => {
  const choice = await choiceOf(line);
  expect(choice).toBeDefined();
  expect(choice?.mayCreate).not.toBe(true);
});

test('migrate reads the schema version first and never creates a store in a folder', async () => {
  expect(await choiceOf('migrate')).toEqual({ mayCreate: false, migrates: false });
});

test('backup does not migrate the schema of an older release', async () => {
  expect((await choiceOf('backup --to x.tar'))?.migrates).toBe(false);
});
