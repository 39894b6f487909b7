import type { Socket } from 'node:net';
import { Client } from 'undici';
import { HEAD_BYTES_MAX, IDLE_MS, IDLE_MS_MAX, READ_SIZE_BYTES } from './limits.ts';

/** A socket to a vetted address, for one request at a time. */
export interface Connection {
  /** Scheme, host name and port of the URL. */
  origin: string;
  address: string;
  client: Client;
  socket: Socket;
  /** Sets the one listener that gets every chunk before it is parsed. */
  listen(listener: ((chunk: Uint8Array) => void) | null): void;
  isAlive(): boolean;
  destroy(): void;
}

/** Puts an HTTP client on a connected socket. The client never opens a socket itself. */
export function makeConnection(options: {
  origin: string;
  address: string;
  socket: Socket;
}): Connection {
  const { origin, address, socket } = options;
  let isUsed = false;
  let listener: ((chunk: Uint8Array) => void) | null = null;
  // undici parses all it reads before it checks for an abort. So it reads a little at a time, and
  // nothing once the listener has destroyed the socket.
  const read = socket.read.bind(socket);
  socket.read = () => {
    if (socket.destroyed) return null;
    const size = Math.min(socket.readableLength, READ_SIZE_BYTES);
    const chunk = read(size === 0 ? undefined : size) as Uint8Array | null;
    if (chunk !== null) listener?.(chunk);
    return socket.destroyed ? null : chunk;
  };
  const client = new Client(origin, {
    connect(_options, callback) {
      // A second call means that the socket was closed. The caller then opens a vetted connection.
      const wasUsed = isUsed;
      isUsed = true;
      // undici expects the callback after `connect` has returned.
      queueMicrotask(() => {
        if (wasUsed) callback(new Error('closed'), null);
        else callback(null, socket);
      });
    },
    allowH2: false,
    useMilo: false,
    pipelining: 1,
    maxHeaderSize: HEAD_BYTES_MAX,
    // Attempts have their own timeouts, on the injected clock.
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
    listen(newListener) {
      listener = newListener;
    },
    isAlive: () => !socket.destroyed && socket.readable && socket.writable,
    destroy() {
      socket.destroy();
      client.destroy().catch(() => undefined);
    },
  };
}
