import type { CliCommand } from './command.ts';
import { commands } from './commands/registry.gen.ts';

const HELP = ['help', '-h', '--help'];

/**
 * The commands that a line may mean: those whose names stand in it, or all of them where it names
 * none or asks for help. Most commands are small; those that are the service bring all of it.
 */
export function loadCommands(argv: readonly string[]): Promise<CliCommand[]> {
  const isNamed = (name: string) => argv.includes(name);
  const isWide = !Object.keys(commands).some(isNamed) || argv.some((word) => HELP.includes(word));
  const wanted = Object.entries(commands).filter(([name]) => isWide || isNamed(name));
  return Promise.all(wanted.map(([, load]) => load()));
}
