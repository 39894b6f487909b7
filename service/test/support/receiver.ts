import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface Receiver {
  port: number;
  /** Returns the number of connections opened so far, with or without TLS. */
  connectionCount(): number;
  /** Decrypted bytes received, by connection. */
  received: Buffer[];
  /** Resolves after this many complete requests. */
  requests(count: number): Promise<void>;
  /** Resolves when no connection is open. */
  closed(): Promise<void>;
  close(): Promise<void>;
}

/** Called for each complete request. `n` starts at 0. */
export type Respond = (socket: Socket, n: number) => void;

export interface ReceiverOptions {
  host?: string;
  /** With 0, the receiver uses any free port. */
  port?: number;
  tls?: TlsOptions;
  onConnection?: (socket: Socket) => void;
  /** Keeps the receiver's side open after the client closes its side. */
  allowHalfOpen?: boolean;
}

/** Starts a raw TCP server on the loopback interface. Its replies need not be HTTP. */
export async function startReceiver(
  respond: Respond,
  { host = '127.0.0.1', port = 0, tls, onConnection, allowHalfOpen = false }: ReceiverOptions = {},
): Promise<Receiver> {
  const received: Buffer[] = [];
  const openSockets = new Set<Socket>();
  const { notify, until } = createWaiter();
  let connectionCount = 0;
  let requests = 0;

  function listen(socket: Socket): void {
    const index = received.push(Buffer.alloc(0)) - 1;
    let buffered = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), chunk]);
      buffered = Buffer.concat([buffered, chunk]);
      for (let end = endOfRequest(buffered); end > 0; end = endOfRequest(buffered)) {
        buffered = buffered.subarray(end);
        respond(socket, requests++);
        notify();
      }
    });
  }

  function count(socket: Socket): void {
    connectionCount++;
    openSockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      openSockets.delete(socket);
      notify();
    });
    onConnection?.(socket);
  }

  const server: Server =
    tls === undefined ? createServer({ allowHalfOpen }, listen) : createTlsServer(tls, listen);
  server.on('connection', count);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => connectionCount,
    received,
    requests: (expected) => until(() => requests >= expected),
    closed: () => until(() => openSockets.size === 0),
    close() {
      for (const socket of openSockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Creates a waiter for conditions, which are checked after each call to `notify`. */
function createWaiter() {
  const checks = new Set<() => void>();
  return {
    notify: (): void => checks.forEach((check) => check()),
    until: (condition: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          checks.delete(check);
          resolve();
        };
        checks.add(check);
        check();
      }),
  };
}

/** Returns the length of the first complete request, or 0 if it is incomplete. */
function endOfRequest(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const length = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, head))?.[1] ?? '0';
  const end = head + 4 + Number(length);
  return bytes.length >= end ? end : 0;
}

/** Returns a complete HTTP response as text. */
export function reply(status: number, headers: readonly string[] = [], body = ''): string {
  const lines = [
    `HTTP/1.1 ${status} Text`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
