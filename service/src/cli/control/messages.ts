import type { Socket } from 'node:net';
import { readLines } from '../../platform/read-lines.ts';

/** Sent by the client: first the command, then lines of standard input when requested. */
export type ClientMessage =
  | { type: 'run'; argv: string[]; cwd: string; isTerminal: boolean }
  | { type: 'line'; text: string }
  | { type: 'end' };

/** Sent by the service: output, the request for standard input, and finally the exit code. */
export type ServerMessage =
  | { type: 'stdout' | 'stderr'; text: string }
  | { type: 'want-stdin' }
  | { type: 'exit'; code: number };

/**
 * Writes a message as one line of JSON. Returns false if the peer is slow; the caller must then
 * await `untilDrained`.
 */
export function sendMessage(socket: Socket, message: ClientMessage | ServerMessage): boolean {
  return socket.writable && socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * Reads messages until the connection closes or breaks. The shape of the messages is not validated,
 * because the peer is the same program run by the same user.
 */
export async function* readMessages<T extends ClientMessage | ServerMessage>(
  socket: Socket,
): AsyncGenerator<T, void> {
  try {
    for await (const line of readLines(socket)) yield JSON.parse(line) as T;
  } catch (error) {
    // A broken connection ends the messages normally. Any other error is a bug.
    if (!socket.destroyed) throw error;
  }
}

/** Resolves when the peer has caught up or disconnected. */
export function untilDrained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    function done(): void {
      socket.off('drain', done).off('close', done);
      resolve();
    }
    if (socket.destroyed || !socket.writableNeedDrain) resolve();
    else socket.once('drain', done).once('close', done);
  });
}
