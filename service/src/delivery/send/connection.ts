import type { Socket } from 'node:net';
import { Client } from 'undici';
import { HEAD_BYTES_MAX, IDLE_MS, IDLE_MS_MAX, PIECE_BYTES_MAX } from './limits.ts';

/** One socket to one vetted address, for one POST at a time. */
export interface Connection {
  /** Scheme, name and port: what a URL asks for. */
  origin: string;
  address: string;
  client: Client;
  socket: Socket;
  /** Shows this one listener every piece that arrives, before anybody makes sense of it. */
  listen(listener: ((piece: Uint8Array) => void) | null): void;
  isAlive(): boolean;
  destroy(): void;
}

/** Puts HTTP on a socket that stands. The client never opens one of its own. */
export function makeConnection(options: {
  origin: string;
  address: string;
  socket: Socket;
}): Connection {
  const { origin, address, socket } = options;
  let isTaken = false;
  let listener: ((piece: Uint8Array) => void) | null = null;
  // The library asks here for what came, and makes sense of all it gets before it looks up: so it gets
  // little at a time, and nothing once the listener had enough.
  const read = socket.read.bind(socket);
  socket.read = () => {
    if (socket.destroyed) return null;
    const bytes = Math.min(socket.readableLength, PIECE_BYTES_MAX);
    const piece = read(bytes === 0 ? undefined : bytes) as Uint8Array | null;
    if (piece !== null) listener?.(piece);
    return socket.destroyed ? null : piece;
  };
  const client = new Client(origin, {
    connect(_options, callback) {
      // A second call means that the first socket is gone: whoever waits opens a vetted one.
      const isGone = isTaken;
      isTaken = true;
      // The library takes no answer before its own call has ended.
      queueMicrotask(() => {
        if (isGone) callback(new Error('closed'), null);
        else callback(null, socket);
      });
    },
    allowH2: false,
    useMilo: false,
    pipelining: 1,
    maxHeaderSize: HEAD_BYTES_MAX,
    // Time-outs of an attempt are ours, on the clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS_MAX,
  });
  return {
    origin,
    address,
    client,
    socket,
    listen(heard) {
      listener = heard;
    },
    isAlive: () => !socket.destroyed && socket.readable && socket.writable,
    destroy() {
      socket.destroy();
      client.destroy().catch(() => undefined);
    },
  };
}
