import { chmod } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import type { StoreKind } from '../../app/store-kind.ts';
import { type CliContext, CliError, type LoadCommands } from '../command.ts';
import { type ClientMessage, readMessages, sendMessage } from './messages.ts';
import { prepareControlPath } from './socket.ts';
import { runProgram } from '../program.ts';

export interface ControlServerOptions {
  /** Folder of the embedded store that this process has open. */
  folder: string;
  kind: StoreKind;
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  env: Readonly<Record<string, string | undefined>>;
  /**
   * Called after each command, before its exit code is sent, so that the command's changes are
   * already in effect.
   */
  onCommandDone?: () => Promise<void>;
  loadCommands: LoadCommands;
}

/**
 * Runs commands for other processes of the same user, which cannot open the store themselves. If a
 * client disconnects, its command still runs to completion.
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
    // Until the socket's mode is set, another user could connect, so the connection is rejected.
    if (!isPrivate) {
      socket.destroy();
      return;
    }
    serveConnection(socket, options).catch((error: unknown) => {
      options.log.error({ event: 'command.failed', err: error }, 'forwarded command failed');
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

async function serveConnection(socket: Socket, options: ControlServerOptions): Promise<void> {
  const messages = readMessages<ClientMessage>(socket);
  const first = await messages.next();
  // A client may disconnect without sending a command, as `isControlServed` does.
  if (first.done || first.value.type !== 'run') {
    socket.destroy();
    return;
  }
  const { argv, cwd, isTerminal } = first.value;
  const commands = await options.loadCommands(argv);
  const command = argv.find((word) => commands.some(({ name }) => name === word)) ?? '';
  options.log.info({ event: 'command.forwarded', command }, 'running a forwarded command');
  const code = await runProgram({
    argv,
    commands: commands.filter(({ forwardable }) => forwardable !== false),
    makeContext: () => forwardedContext({ socket, messages, cwd, isTerminal }, options),
  });
  await options.onCommandDone?.();
  sendMessage(socket, { type: 'exit', code });
  socket.end();
}

interface Client {
  socket: Socket;
  messages: AsyncGenerator<ClientMessage, void>;
  cwd: string;
  isTerminal: boolean;
}

function forwardedContext(client: Client, options: ControlServerOptions): CliContext {
  const { socket, messages, cwd, isTerminal } = client;
  return {
    stdout: (text) => void sendMessage(socket, { type: 'stdout', text }),
    stderr: (text) => void sendMessage(socket, { type: 'stderr', text }),
    stdinLines: () => readStdin(socket, messages),
    env: options.env,
    cwd,
    clock: options.clock,
    isTerminal,
    settings: () => options.settings,
    loadCommands: options.loadCommands,
    openStore: async (choice) => {
      if (choice?.kind !== undefined && choice.kind !== options.kind) {
        throw new CliError(
          `the running service has the ${options.kind} store open, not the ${choice.kind} store`,
        );
      }
      return { db: options.db, close: async () => undefined };
    },
  };
}

async function* readStdin(
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
