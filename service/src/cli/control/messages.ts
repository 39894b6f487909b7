import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';

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

/** One message a line. False when the other side is slow: wait for `drain`. */
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
  const lines = createInterface({ input: socket, crlfDelay: Infinity });
  socket.on('error', () => undefined);
  socket.once('close', () => lines.close());
  if (socket.destroyed) return;
  for await (const line of lines) yield JSON.parse(line) as T;
}
