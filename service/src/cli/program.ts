import { Command, CommanderError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { redact } from '../platform/redact.ts';
import { type CliCommand, type CliContext, CliError } from './command.ts';
import { HeldByServiceError } from './control/held-by-service-error.ts';
import { mendMachine } from './machine-trouble.ts';
import { addSettingOptions } from './setting-options.ts';

export interface ProgramOptions {
  argv: readonly string[];
  commands: readonly CliCommand[];
  /** Gets a reader of the global flags: they are known only once a command runs. */
  makeContext(globalFlags: () => GlobalFlags): CliContext;
}

export type GlobalFlags = Readonly<Record<string, unknown>>;

/**
 * Runs one command line and returns its exit code: 0 on success alone, 1 for a mistake of the
 * person or of ours, anything else where the command says so. Only `HeldByServiceError` is thrown,
 * and only for commands that may be forwarded.
 */
export async function runProgram(options: ProgramOptions): Promise<number> {
  const program = new Command('afterbell');
  const context = options.makeContext(() => program.opts());
  describeProgram(program);
  for (const command of options.commands) command.add(program, context);
  let running: CliCommand | undefined;
  program.hook('preAction', (_, action) => {
    running = options.commands.find((command) => command.name === topName(program, action));
  });
  takeOver(program, context);
  try {
    await program.parseAsync([...options.argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof HeldByServiceError && running?.forwardable !== false) throw error;
    return explain(error, { context, globalFlags: program.opts() });
  }
}

function describeProgram(program: Command): void {
  program
    .description('Earnings data of your own: gathered, kept in every version, served and pushed.')
    .version(packageJson.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(new Option('--config <file>', 'a file of NAME=value settings (AFTERBELL_CONFIG)'))
    .addOption(new Option('--sandbox', 'use the sandbox store even when there is a live one'))
    .showSuggestionAfterError();
  addSettingOptions(program);
}

/** Commander must neither exit nor print by itself: the command may run inside the service. */
function takeOver(command: Command, context: CliContext): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => context.stdout(text),
    writeErr: (text) => context.stderr(text),
  });
  for (const child of command.commands) takeOver(child, context);
}

/** `keys` for the action of `keys create`. */
function topName(program: Command, action: Command): string {
  let command = action;
  while (command.parent !== null && command.parent !== program) command = command.parent;
  return command.name();
}

/**
 * Errors that already say what to do. By name: those of the store come with its engines, which load
 * only when a store is opened.
 */
const MENDABLE = [
  'CliError',
  'SettingsError',
  'HeldByServiceError',
  'StoreHeldError',
  'StoreClaimError',
  'StoreUnavailableError',
  'NoStoreError',
  'MigrationError',
  'SecretsKeyError',
  'BackupError',
];

function explain(
  error: unknown,
  { context, globalFlags }: { context: CliContext; globalFlags: GlobalFlags },
): number {
  // Commander has printed its message, with the nearest name for a mistyped one.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
  if (error instanceof Error && MENDABLE.includes(error.name)) {
    context.stderr(`${redact(error.message)}\n`);
    return error instanceof CliError ? error.exitCode : 1;
  }
  const mend = mendMachine(error);
  if (mend !== null && error instanceof Error) {
    context.stderr(`${redact(error.message)}\n${mend}\n`);
    return 1;
  }
  const isDebugging = (globalFlags['logLevel'] ?? context.env['LOG_LEVEL']) === 'debug';
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const text = isDebugging ? (stack ?? message) : `${message} (LOG_LEVEL=debug shows where)`;
  context.stderr(`afterbell: unexpected error: ${redact(text)}\n`);
  return 1;
}
