import { statSync } from 'node:fs';
import { connectToControl } from './control/socket.ts';
import { type CliContext, CliError } from './command.ts';
import { forwardCommand } from './control/forward.ts';
import { HeldByServiceError } from './control/held-by-service-error.ts';
import { loadCommands } from './load-commands.ts';
import { processContext } from './process-context.ts';
import { runProgram } from './program.ts';
import { typedFolder } from './typed-folder.ts';

/** Runs the command line of this process, and ends the process with its exit code. */
export async function main(): Promise<void> {
  tieToParent();
  handleClosedPipes();
  const code = await run(process.argv.slice(2));
  // Everything written so far goes out first; then whatever a command left open is let go.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

async function run(argv: readonly string[]): Promise<number> {
  const cwd = typedFolder(process.env, process.cwd(), isFolder);
  let context: CliContext | undefined;
  try {
    return await runProgram({
      argv,
      commands: await loadCommands(argv),
      makeContext: (globalFlags) => (context = processContext(cwd, globalFlags)),
    });
  } catch (error) {
    if (!(error instanceof HeldByServiceError) || context === undefined) throw error;
    return await forward(error.storeFolder, argv, context);
  }
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
 * Started again by an older Node, this process must not outlive it: when the channel between them
 * closes without a signal, the other was killed, and so is this one.
 */
function tieToParent(): void {
  const isRelaunched = process.env['AFTERBELL_RELAUNCHED'] === '1' && process.channel !== undefined;
  delete process.env['AFTERBELL_RELAUNCHED'];
  if (!isRelaunched) return;
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
}

/** A reader that has seen enough, such as `head`, is no failure; a lost stderr is nobody's loss. */
function handleClosedPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  process.stderr.on('error', () => undefined);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
