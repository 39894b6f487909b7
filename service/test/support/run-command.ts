import { Command } from 'commander';
import type { CliCommand, CliContext } from '../../src/cli/command.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Settings } from '../../src/config/settings.ts';
import type { Db } from '../../src/storage/db.ts';

/** Runs one command with the test's store and clock. Returns its output and error. */
export async function runCommand(
  command: CliCommand,
  world: { db: Db; clock: Clock; settings?: Settings; stdin?: readonly string[] },
  args: readonly string[],
): Promise<{ out: string; err: string; error: Error | null }> {
  let out = '';
  let err = '';
  const program = new Command().exitOverride();
  const { db, clock, settings, stdin = [] } = world;
  const context = {
    stdout: (text: string) => (out += text),
    stderr: (text: string) => (err += text),
    cwd: '/',
    clock,
    settings: () => settings,
    async *stdinLines() {
      yield* stdin;
    },
    openStore: async () => ({ db, close: async () => undefined }),
  } as unknown as CliContext;
  command.add(program, context);
  for (const child of program.commands.flatMap((parent) => [parent, ...parent.commands])) {
    child.exitOverride().configureOutput({ writeErr: (text) => (err += text) });
  }
  try {
    await program.parseAsync([command.name, ...args], { from: 'user' });
    return { out, err, error: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { out, err, error };
  }
}
