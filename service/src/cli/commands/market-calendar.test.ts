import { Command } from 'commander';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { CliContext } from '../command.ts';
import { command } from './market-calendar.ts';

test('prints the market calendar as CSV with a header and one line for every day, including weekends', async () => {
  expect(await run('--from', '2026-11-25', '--to', '2026-11-28')).toBe(
    [
      'date,status,open,close,reason',
      '2026-11-25,open,09:30,16:00,',
      '2026-11-26,closed,,,Thanksgiving Day',
      '2026-11-27,early,09:30,13:00,Day after Thanksgiving',
      '2026-11-28,closed,,,Weekend',
      '',
    ].join('\n'),
  );
});

test('prints missing values in the market calendar as null in JSON', async () => {
  const text = await run('--from', '2026-11-25', '--to', '2026-11-26', '--format', 'json');
  expect(JSON.parse(text)).toEqual([
    { date: '2026-11-25', status: 'open', open: '09:30', close: '16:00', reason: null },
    { date: '2026-11-26', status: 'closed', open: null, close: null, reason: 'Thanksgiving Day' },
  ]);
});

test('prints all 22,280 days of the market calendar for a period of 61 years', async () => {
  const text = await run('--from', '1970-01-01', '--to', '2030-12-31', '--format', 'csv');
  expect(text.trimEnd().split('\n')).toHaveLength(22_281);
});

test.each([
  [['--from', '2026-02-30', '--to', '2026-03-01'], '--from 2026-02-30 is not a date'],
  [['--from', '2026-02-01', '--to', 'today'], '--to today is not a date'],
  [['--from', '2026-02-02', '--to', '2026-02-01'], '--to 2026-02-01 is before --from 2026-02-02'],
  [['--from', '2026-02-02'], '--to'],
  [['--from', '2026-02-02', '--to', '2026-02-02', '--format', 'xml'], 'xml'],
])('rejects the market calendar options %j', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

async function run(...args: string[]): Promise<string> {
  let printed = '';
  const program = new Command().exitOverride();
  command.add(
    program,
    context((text) => (printed += text)),
  );
  for (const child of program.commands) child.exitOverride().configureOutput({ writeErr() {} });
  await program.parseAsync(['market-calendar', ...args], { from: 'user' });
  return printed;
}

function context(stdout: (text: string) => void): CliContext {
  const unexpected = (): never => {
    throw new Error('this command needs nothing but stdout');
  };
  return {
    stdout,
    stderr: unexpected,
    stdinLines: unexpected,
    env: {},
    cwd: '.',
    clock: fakeClock(0),
    isTerminal: false,
    settings: unexpected,
    loadCommands: unexpected,
    openStore: unexpected,
  };
}
