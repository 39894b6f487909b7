import { Command, CommanderError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { redact } from '../platform/redact.ts';
import { type CliCommand, type CliContext, CliError, StoreInUseError } from './command.ts';
import { fixForSystemError } from './system-error-fix.ts';
import { addSettingOptions } from './setting-options.ts';

export interface ProgramOptions {
  argv: readonly string[];
  commands: readonly CliCommand[];
  /**
   * `globalFlags` returns the global flags. Call it only while a command runs, because they are not
   * parsed earlier.
   */
  makeContext(globalFlags: () => GlobalFlags): CliContext;
}

export type GlobalFlags = Readonly<Record<string, unknown>>;

/**
 * Runs a command line and returns its exit code: 0 on success, 1 on any error, or the code that the
 * command sets. Throws only `StoreInUseError`, and only for commands that can be forwarded.
 */
export async function runProgram(options: ProgramOptions): Promise<number> {
  const program = new Command('afterbell');
  const context = options.makeContext(() => program.opts());
  describeProgram(program);
  for (const command of options.commands) command.add(program, context);
  let running: CliCommand | undefined;
  program.hook('preAction', (_, action) => {
    running = options.commands.find(({ name }) => name === topLevelName(program, action));
  });
  redirectOutput(program, context);
  try {
    await program.parseAsync([...options.argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof StoreInUseError && running?.forwardable !== false) throw error;
    return printError(error, { context, globalFlags: program.opts() });
  }
}

function describeProgram(program: Command): void {
  program
    .description('Run your own earnings data service: ingest, store, query and push market data.')
    .version(packageJson.version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .addOption(
      new Option('--config <file>', 'Read settings from a NAME=value file (or AFTERBELL_CONFIG)'),
    )
    .addOption(new Option('--sandbox', 'Use the sandbox store even if a live store exists'))
    .helpCommand('help [command]', 'Print help for a command')
    .showSuggestionAfterError();
  addSettingOptions(program);
}

/** Prevents Commander from exiting and printing, because the command may run inside the service. */
function redirectOutput(command: Command, context: CliContext): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => context.stdout(text),
    writeErr: (text) => context.stderr(text),
  });
  for (const child of command.commands) redirectOutput(child, context);
}

/** Returns `keys` for the `keys create` action. */
function topLevelName(program: Command, action: Command): string {
  let command = action;
  while (command.parent !== null && command.parent !== program) command = command.parent;
  return command.name();
}

/**
 * Names of the errors whose message tells the user what to do. Importing the classes would load the
 * storage engines.
 */
const USER_ERRORS = [
  'CliError',
  'SettingsError',
  'StoreInUseError',
  'StoreHeldError',
  'StoreKindError',
  'StoreUnavailableError',
  'StoreDamagedError',
  'NoStoreError',
  'MigrationError',
  'SecretsKeyError',
  'BackupError',
];

function printError(
  error: unknown,
  { context, globalFlags }: { context: CliContext; globalFlags: GlobalFlags },
): number {
  // Commander has already printed its message, with a suggestion for a mistyped name.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
  if (error instanceof Error && USER_ERRORS.includes(error.name)) {
    context.stderr(`${redact(error.message)}\n`);
    return error instanceof CliError ? error.exitCode : 1;
  }
  const fix = fixForSystemError(error);
  if (fix !== null && error instanceof Error) {
    context.stderr(`${redact(error.message)}\n${fix}\n`);
    return 1;
  }
  const isDebugging = (globalFlags['logLevel'] ?? context.env['LOG_LEVEL']) === 'debug';
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const text = isDebugging
    ? (stack ?? message)
    : `${message} (set LOG_LEVEL=debug for a stack trace)`;
  context.stderr(`afterbell: unexpected error: ${redact(text)}\n`);
  return 1;
}
