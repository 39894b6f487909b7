import type { CliCommand } from './command.ts';
import { commands } from './registry.gen.ts';

const HELP = ['help', '-h', '--help'];

/**
 * The commands that a line may mean: those whose names stand in it, or all of them where it names
 * none or asks for help. Most commands are small; those that are the service bring all of it.
 */
export function loadCommands(argv: readonly string[]): Promise<CliCommand[]> {
  const all = Object.keys(commands);
  const named = all.filter((name) => argv.includes(name));
  const isWide = named.length === 0 || argv.some((word) => HELP.includes(word));
  return Promise.all((isWide ? all : named).map(load));
}

function load(name: string): Promise<CliCommand> {
  const found = commands[name];
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found();
}
