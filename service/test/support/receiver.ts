import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface Receiver {
  port: number;
  /** Connections that were opened to it, TLS or not. */
  opened(): number;
  /** Everything it was sent in clear, connection by connection. */
  received: Buffer[];
  /** Resolves when that many requests have come in whole. */
  requests(count: number): Promise<void>;
  /** Resolves when no connection stands any more. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** What to do when a request has come in whole; `n` counts from 0. */
export type Answer = (socket: Socket, n: number) => void;

export interface ReceiverOptions {
  host?: string;
  /** 0 takes any free one. */
  port?: number;
  tls?: TlsOptions;
  onConnection?: (socket: Socket) => void;
  /** Goes on to hear who has closed, until it closes itself. */
  allowHalfOpen?: boolean;
}

/** A server of bytes on the loopback: what it answers need not be HTTP. */
export async function startReceiver(
  answer: Answer,
  { host = '127.0.0.1', port = 0, tls, onConnection, allowHalfOpen = false }: ReceiverOptions = {},
): Promise<Receiver> {
  const received: Buffer[] = [];
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();
  const look = (): void => waiting.forEach((one) => one());
  let opened = 0;
  let requests = 0;

  function listen(socket: Socket): void {
    const index = received.push(Buffer.alloc(0)) - 1;
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), piece]);
      rest = Buffer.concat([rest, piece]);
      for (let end = endOfRequest(rest); end > 0; end = endOfRequest(rest)) {
        rest = rest.subarray(end);
        answer(socket, requests++);
        look();
      }
    });
  }

  function count(socket: Socket): void {
    opened++;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      look();
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

  function until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isSo()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  }

  return {
    port: (server.address() as AddressInfo).port,
    opened: () => opened,
    received,
    requests: (wanted) => until(() => requests >= wanted),
    quiet: () => until(() => open.size === 0),
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Where the first request ends, 0 when it has not come in whole. */
function endOfRequest(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const length = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, head))?.[1] ?? '0';
  const end = head + 4 + Number(length);
  return bytes.length >= end ? end : 0;
}

/** A whole answer as bytes. */
export function reply(status: number, headers: readonly string[] = [], body = ''): string {
  const lines = [
    `HTTP/1.1 ${status} Text`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
