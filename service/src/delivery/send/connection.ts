import type { Socket } from 'node:net';
import { Client } from 'undici';
import { HEAD_BYTES_MAX, IDLE_MS, IDLE_MS_MAX, READ_SIZE_BYTES } from './limits.ts';

/** A socket connected to a vetted address, used for one request at a time. */
export interface Connection {
  /** Scheme, host name and port of the URL. */
  origin: string;
  address: string;
  /** On the monotonic clock. */
  openedAtMs: number;
  client: Client;
  socket: Socket;
  /** Sets the only listener, which receives every chunk before it is parsed. */
  listen(listener: ((chunk: Uint8Array) => void) | null): void;
  isAlive(): boolean;
  destroy(): void;
}

/** Creates an HTTP client for a connected socket. The client never opens a socket itself. */
export function makeConnection(options: {
  origin: string;
  address: string;
  openedAtMs: number;
  socket: Socket;
}): Connection {
  const { origin, address, openedAtMs, socket } = options;
  let isUsed = false;
  let listener: ((chunk: Uint8Array) => void) | null = null;
  // undici parses everything it has read before it checks for an abort. The replaced `read`
  // therefore returns only a little data at a time, and nothing once the listener has destroyed the
  // socket.
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
      // A second call means that the socket was closed. The caller must open a new vetted
      // connection instead.
      const wasUsed = isUsed;
      isUsed = true;
      // undici expects the callback to be called after `connect` has returned.
      queueMicrotask(() => {
        if (wasUsed) callback(new Error('closed'), null);
        else callback(null, socket);
      });
    },
    allowH2: false,
    useMilo: false,
    pipelining: 1,
    maxHeaderSize: HEAD_BYTES_MAX,
    // Attempts have their own timeouts, based on the injected clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS_MAX,
  });
  return {
    origin,
    address,
    openedAtMs,
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
