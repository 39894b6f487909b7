import { chmod } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import type { StoreKind } from '../../app/store-kind.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { type ClientMessage, readMessages, sendMessage } from './messages.ts';
import { prepareControlPath } from './socket.ts';
import { loadCommands } from '../load-commands.ts';
import { runProgram } from '../program.ts';

export interface ControlServerOptions {
  /** The folder of the embedded store this process holds. */
  folder: string;
  kind: StoreKind;
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  env: Readonly<Record<string, string | undefined>>;
  /** Told when a command has run, before its caller is: what it changed is to hold at once. */
  onCommandDone?: () => Promise<void>;
  /** The commands to serve; all of this binary when absent. */
  commands?: readonly CliCommand[];
}

/**
 * Runs commands of other processes inside this one, which holds the store they need. The socket is
 * open to the same user alone. A command whose process goes away runs on to its end, unheard.
 */
export async function serveControlSocket(
  options: ControlServerOptions,
): Promise<{ path: string; close(): Promise<void> }> {
  const path = prepareControlPath(options.folder, options.env);
  const sockets = new Set<Socket>();
  let isPrivate = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    // Until its mode is set, somebody else might have come in.
    if (!isPrivate) {
      socket.destroy();
      return;
    }
    serveOne(socket, options).catch((error: unknown) => {
      options.log.error({ err: error }, 'a forwarded command broke');
      socket.destroy();
    });
  });
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  isPrivate = true;

  async function close(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  return { path, close };
}

async function serveOne(socket: Socket, options: ControlServerOptions): Promise<void> {
  const messages = readMessages<ClientMessage>(socket);
  const first = await messages.next();
  // A client that only looks whether somebody is here connects and leaves.
  if (first.done || first.value.type !== 'run') {
    socket.destroy();
    return;
  }
  const { argv, cwd, isTerminal } = first.value;
  const all = options.commands ?? (await loadCommands(argv));
  const command = argv.find((word) => all.some(({ name }) => name === word)) ?? '';
  options.log.info({ command }, 'running a forwarded command');
  const code = await runProgram({
    argv,
    commands: all.filter((command) => command.forwardable !== false),
    makeContext: () => forwardedContext({ socket, messages, cwd, isTerminal }, options),
  });
  await options.onCommandDone?.();
  sendMessage(socket, { type: 'exit', code });
  socket.end();
}

interface Caller {
  socket: Socket;
  messages: AsyncGenerator<ClientMessage, void>;
  cwd: string;
  isTerminal: boolean;
}

function forwardedContext(caller: Caller, options: ControlServerOptions): CliContext {
  const { socket, messages, cwd, isTerminal } = caller;
  return {
    stdout: (text) => void sendMessage(socket, { type: 'stdout', text }),
    stderr: (text) => void sendMessage(socket, { type: 'stderr', text }),
    stdinLines: () => linesOf(socket, messages),
    env: options.env,
    cwd,
    clock: options.clock,
    isTerminal,
    settings: () => options.settings,
    openStore: async (choice) => {
      if (choice?.kind !== undefined && choice.kind !== options.kind) {
        throw new CliError(
          `the running service has its ${options.kind} store open, not the ${choice.kind} one`,
        );
      }
      return { db: options.db, close: async () => undefined };
    },
  };
}

async function* linesOf(
  socket: Socket,
  messages: AsyncGenerator<ClientMessage, void>,
): AsyncGenerator<string, void> {
  sendMessage(socket, { type: 'want-stdin' });
  for (;;) {
    const { done, value } = await messages.next();
    if (done || value.type !== 'line') return;
    yield value.text;
  }
}
