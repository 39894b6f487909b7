import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { startServeNode } from '../../app/processes/serve-node.ts';
import { ProcessStartError } from '../../app/processes/supervisor.ts';
import type { Settings } from '../../config/settings.ts';
import { type CliContext, CliError } from '../command.ts';
import { openProcess } from './role.ts';
import { forkServeProcess } from './serve-process.ts';

/** Additional time for processes that end at their own time limit. */
const ENDING_MS = 5_000;

/** Returns the number of processes that SERVE_PROCESSES asks for. */
export function processCount({ serveProcesses }: Pick<Settings, 'serveProcesses'>): number {
  return serveProcesses === 'auto' ? availableParallelism() : Number(serveProcesses);
}

/** Supervises processes that serve one port, until a signal ends them. */
export async function runServeNode(
  context: CliContext,
  settings: Settings,
  count: number,
): Promise<void> {
  const running = openProcess(context, settings, settings.drainSeconds * 1_000 + ENDING_MS);
  const children = new Set<ChildProcess>();
  // Also after a second signal and after an uncaught error.
  process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));
  const launch = () => forkServeProcess(children);
  const node = await startServeNode({ ...running, count, launch }).catch((error: unknown) => {
    if (!(error instanceof ProcessStartError)) throw error;
    throw new CliError(`afterbell serve: ${error.message}`);
  });
  if (node !== null && !running.shutdown.signal.aborted) {
    context.stderr(node.welcome);
    context.stdout(`ready ${node.url}\n`);
  }
  await running.shutdown.done;
}
