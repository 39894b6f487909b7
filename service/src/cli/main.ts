import { statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { commands } from './commands/registry.gen.ts';
import { connectToControl } from './control/socket.ts';
import { type CliCommand, type CliContext, CliError, StoreInUseError } from './command.ts';
import { forwardCommand } from './control/forward.ts';
import { processContext } from './process-context.ts';
import { runProgram } from './program.ts';

/** Runs this process's command line and exits with its exit code. */
export async function main(): Promise<void> {
  exitWithParent();
  handleClosedPipes();
  const code = await run(process.argv.slice(2));
  // Flush both streams before exiting. The exit releases anything that a command left open.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

async function run(argv: readonly string[]): Promise<number> {
  const cwd = invocationFolder(process.env, process.cwd(), isFolder);
  let context: CliContext | undefined;
  try {
    return await runProgram({
      argv,
      commands: await loadCommands(argv),
      makeContext: (globalFlags) => (context = processContext({ cwd, globalFlags, loadCommands })),
    });
  } catch (error) {
    if (!(error instanceof StoreInUseError) || context === undefined) throw error;
    return await forward(error.storeFolder, argv, context);
  }
}

const HELP = ['help', '-h', '--help'];

/**
 * Imports the commands whose names appear in a command line. Imports all commands if no name
 * appears or help is requested. Most commands are small, but those that start a service import all
 * of it.
 */
export function loadCommands(argv: readonly string[]): Promise<CliCommand[]> {
  const isNamed = (name: string) => argv.includes(name);
  const loadsAll = !Object.keys(commands).some(isNamed) || argv.some((word) => HELP.includes(word));
  const needed = Object.entries(commands).filter(([name]) => loadsAll || isNamed(name));
  return Promise.all(needed.map(([, load]) => load()));
}

async function forward(
  storeFolder: string,
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  try {
    const socket = await connectToControl(storeFolder, context.env);
    if (socket === null) throw new CliError('the running service has just stopped; try again');
    return await forwardCommand({ ...context, socket, argv });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.stderr(`${error.message}\n`);
    return error.exitCode;
  }
}

/**
 * Kills this process if its parent is killed. An older version of Node relaunches the process as a
 * child, which must not outlive its parent. If the channel between them closes without a signal,
 * the parent was killed.
 */
function exitWithParent(): void {
  const isRelaunched = process.env['AFTERBELL_RELAUNCHED'] === '1' && process.channel !== undefined;
  delete process.env['AFTERBELL_RELAUNCHED'];
  if (!isRelaunched) return;
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
}

/**
 * Ignores a closed stdout, which is not a failure because a reader such as `head` may close it
 * early. Errors on stderr are also ignored.
 */
function handleClosedPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  process.stderr.on('error', () => undefined);
}

/**
 * Returns the folder in which the user typed the command. `npm run` and `npm start` change to the
 * folder of package.json and keep the original folder in `INIT_CWD`. `INIT_CWD` is used only if the
 * current folder is still the one npm changed to, because a test or script may have changed it on
 * purpose.
 */
export function invocationFolder(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  exists: (path: string) => boolean,
): string {
  const { INIT_CWD: initial, npm_package_json: packageJson } = env;
  const isMovedByNpm = packageJson !== undefined && dirname(packageJson) === cwd;
  const isValid = initial !== undefined && isAbsolute(initial) && exists(initial);
  return isMovedByNpm && isValid ? initial : cwd;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
