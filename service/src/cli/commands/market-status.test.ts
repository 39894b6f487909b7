import { Command } from 'commander';
import { expect, test } from 'vitest';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { deriveMarketStatus, type MarketStatus } from '../../domain/market/market-status.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { CliContext } from '../command.ts';
import { command } from './market-status.ts';

const NOW = Date.parse('2026-11-20T17:00:00Z');

test('prints the market status at an instant as one line of JSON', async () => {
  const { printed } = await run(['--at', '2026-11-27T13:00:00-05:00']);
  expect(printed.endsWith('}\n')).toBe(true);
  expect(JSON.parse(printed)).toMatchObject({
    timestamp: '2026-11-27T18:00:00Z',
    currentMarketStatus: 'after-hours',
    isEarlyClose: true,
  });
});

test('prints the current market status by default', async () => {
  const { printed } = await run([]);
  expect(printed).toBe(`${JSON.stringify(deriveMarketStatus(marketCalendar(), NOW))}\n`);
});

test('prints one market status for each instant on standard input, in order', async () => {
  const instants = Array.from({ length: 20_000 }, (_, index) => NOW + index * 1_234_567);
  const { printed } = await run(['--at', '-'], instants.map(formatInstant));
  const lines = printed.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as MarketStatus).timestamp)).toEqual(
    instants.map(formatInstant),
  );
});

test('reports an invalid input line after printing the results for earlier lines, and skips blank lines', async () => {
  const lines = ['2026-11-20T17:00:00Z', '', '  2026-11-20T17:01:00Z ', 'noon'];
  const { printed, error } = await run(['--at', '-'], lines);
  expect(printed.trimEnd().split('\n')).toHaveLength(2);
  expect(error).toMatchObject({ name: 'CliError', exitCode: 1 });
  expect(error?.message).toContain('line 4: noon is not an instant');
});

test.each([
  '2026-11-20',
  '2026-11-20T09:30:00',
  '2026-02-30T00:00:00Z',
  '2101-01-01T00:00:00Z',
  '',
])('rejects %j as an instant', async (at) => {
  const { printed, error } = await run(['--at', at]);
  expect(printed).toBe('');
  expect(error?.message).toContain('is not an instant');
});

async function run(args: readonly string[], lines: readonly string[] = []) {
  let printed = '';
  const program = new Command();
  command.add(
    program,
    context(lines, (text) => (printed += text)),
  );
  try {
    await program.parseAsync(['market-status', ...args], { from: 'user' });
    return { printed, error: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { printed, error };
  }
}

function context(lines: readonly string[], stdout: (text: string) => void): CliContext {
  const unexpected = (): never => {
    throw new Error('this command needs no store and no settings');
  };
  return {
    stdout,
    stderr: unexpected,
    async *stdinLines() {
      yield* lines;
    },
    env: {},
    cwd: '.',
    clock: fakeClock(NOW),
    isTerminal: false,
    settings: unexpected,
    loadCommands: unexpected,
    openStore: unexpected,
  };
}
