import type { Socket } from 'node:net';
import { readLines } from '../../platform/read-lines.ts';

/** From the client: first what to run, then lines of its standard input once they are wanted. */
export type ClientMessage =
  | { type: 'run'; argv: string[]; cwd: string; isTerminal: boolean }
  | { type: 'line'; text: string }
  | { type: 'end' };

/** From the service: output as it comes, the wish for standard input, and the end. */
export type ServerMessage =
  | { type: 'stdout' | 'stderr'; text: string }
  | { type: 'want-stdin' }
  | { type: 'exit'; code: number };

/** One message a line. False when the other side is slow: `untilDrained` waits. */
export function sendMessage(socket: Socket, message: ClientMessage | ServerMessage): boolean {
  return socket.writable && socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * The messages of the other side, which is this program too, run by the same user; so their shape
 * is believed. Ends when the connection does, however it ends.
 */
export async function* readMessages<T extends ClientMessage | ServerMessage>(
  socket: Socket,
): AsyncGenerator<T, void> {
  try {
    for await (const line of readLines(socket)) yield JSON.parse(line) as T;
  } catch (error) {
    // A connection that breaks is an end like another; anything else is a defect of ours.
    if (!socket.destroyed) throw error;
  }
}

/** Resolves when the other side has caught up, or is gone. */
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
