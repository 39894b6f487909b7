import { once } from 'node:events';
import { type ChildProcess, fork } from 'node:child_process';
import type { startServe } from '../../app/app.ts';
import type { FromProcess, ToProcess } from '../../app/processes/messages.ts';
import type { ChildHandle } from '../../app/processes/supervisor.ts';
import type { ProcessLike } from '../../platform/shutdown.ts';
import type { CliContext } from '../command.ts';
import { openProcess } from './role.ts';
import { renderWelcome } from './welcome.ts';

/** Set in the processes of `afterbell serve --processes`. */
const MARKER = 'AFTERBELL_SERVE_PROCESS';

/** Starts another process of this binary that serves according to messages. */
export function forkServeProcess(children: Set<ChildProcess>): ChildHandle {
  const child = fork(process.argv[1] ?? '', ['serve'], {
    // Settings contain maps, which JSON has not.
    serialization: 'advanced',
    env: { ...process.env, [MARKER]: '1' },
  });
  children.add(child);
  const ended = once(child, 'exit').then(([code, signal]: unknown[]): number | string => {
    children.delete(child);
    return typeof code === 'number' ? code : String(signal);
  });
  return {
    // A process that has just ended receives nothing.
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    onMessage: (listener) =>
      void child.on('message', (message) => listener(message as FromProcess)),
    ended,
  };
}

export function isServeProcess(): boolean {
  return process.env[MARKER] === '1' && process.send !== undefined;
}

/**
 * Serves as one of several processes. The settings come from the supervising process, which has
 * checked them, so a changed settings file has no effect until the node restarts.
 */
export async function runServeProcess(context: CliContext): Promise<void> {
  delete process.env[MARKER];
  // Registered before anything is awaited, because a stop may follow the start at once.
  const stopping = new AbortController();
  process.on('message', ({ kind }: ToProcess) => kind === 'stop' && stopping.abort());
  process.on('disconnect', () => stopping.abort());
  const order = await firstMessage();
  if (order.kind !== 'start') return;
  const { settings, process: place } = order;
  const running = openProcess(context, settings, settings.drainSeconds * 1_000, {
    signals: firstSignalOnly(),
    logFields: { process: place.number },
  });
  const { shutdown } = running;
  const stop = () => shutdown.begin('stop of the node', process.connected ? 0 : 1);
  stopping.signal.addEventListener('abort', stop);
  if (stopping.signal.aborted) stop();
  let role: Awaited<ReturnType<typeof startServe>> | null = null;
  process.on('message', (message: ToProcess) => {
    if (message.kind !== 'collect' || role === null) return;
    const { id } = message;
    // Without a report, the supervising process considers this one not ready.
    role.report().then(
      (report) => send({ kind: 'collected', id, ...report }),
      () => undefined,
    );
  });
  try {
    const app = await import('../../app/app.ts');
    role = await app.startServe({ ...running, kind: null, process: place });
    const welcome = renderWelcome(role, settings, await role.dayToShow());
    send({ kind: 'listening', url: role.url, welcome });
  } catch (error) {
    // A shutdown during startup closes the store, so this error is expected.
    if (!shutdown.signal.aborted) throw error;
  }
  await shutdown.done;
}

async function firstMessage(): Promise<ToProcess> {
  const [message] = (await once(process, 'message')) as [ToProcess];
  return message;
}

function send(message: FromProcess): void {
  if (process.connected) process.send?.(message);
}

/**
 * A terminal sends its signals to this process and to the supervising one, which passes them on. A
 * second one must not end the draining.
 */
function firstSignalOnly(): ProcessLike {
  let isSignaled = false;
  return {
    on: (event, listener) =>
      process.on(event, (argument: unknown) => {
        if (event.startsWith('SIG')) {
          if (isSignaled) return;
          isSignaled = true;
        }
        listener(argument);
      }),
    exit: (code) => process.exit(code),
  };
}
