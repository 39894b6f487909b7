import type { Socket } from 'node:net';
import { CliError } from '../command.ts';
import { readMessages, sendMessage, type ServerMessage, untilDrained } from './messages.ts';

export interface ForwardOptions {
  socket: Socket;
  argv: readonly string[];
  cwd: string;
  isTerminal: boolean;
  stdout(text: string): void;
  stderr(text: string): void;
  stdinLines(): AsyncIterable<string>;
}

/**
 * Runs a command inside the service at the other end of `socket`. Prints the command's output and
 * sends it standard input on request. Returns the exit code. Throws `CliError` if the service stops
 * first.
 */
export async function forwardCommand(options: ForwardOptions): Promise<number> {
  const { socket, argv, cwd, isTerminal } = options;
  sendMessage(socket, { type: 'run', argv: [...argv], cwd, isTerminal });
  try {
    for await (const message of readMessages<ServerMessage>(socket)) {
      if (message.type === 'exit') return message.code;
      if (message.type === 'want-stdin') void sendStdin(socket, options.stdinLines());
      else if (message.type === 'stdout') options.stdout(message.text);
      else options.stderr(message.text);
    }
  } finally {
    socket.destroy();
  }
  throw new CliError('the running service stopped before the command finished');
}

async function sendStdin(socket: Socket, lines: AsyncIterable<string>): Promise<void> {
  for await (const text of lines) {
    if (socket.destroyed) return;
    if (!sendMessage(socket, { type: 'line', text })) await untilDrained(socket);
  }
  sendMessage(socket, { type: 'end' });
}
