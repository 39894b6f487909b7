import { isIP, type Socket } from 'node:net';
import { AttemptError } from './attempt-error.ts';

/** An HTTP proxy of the operator, through which all webhooks are sent. */
export interface EgressProxy {
  host: string;
  port: number;
  /** Value of the `Proxy-Authorization` header; null for none. */
  authorization: string | null;
}

const HEAD_BYTES_MAX = 8 * 1_024;

/** Parses the setting: `http://`, optionally a name and password, then host and port. */
export function parseProxy(text: string): EgressProxy {
  const { hostname, port, username, password } = new URL(text);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const basic = Buffer.from(credentials).toString('base64');
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? 80 : Number(port),
    authorization: username === '' ? null : `Basic ${basic}`,
  };
}

/**
 * Asks the proxy for a tunnel to exactly this address, so that the proxy resolves no name and the
 * vetted address holds. `socket` is connected to the proxy.
 */
export async function openTunnel(
  socket: Socket,
  to: { proxy: EgressProxy; address: string; port: number; signal: AbortSignal },
): Promise<void> {
  const { proxy, address, port, signal } = to;
  const authority = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  const { authorization } = proxy;
  const credentials = authorization === null ? [] : [`Proxy-Authorization: ${authorization}`];
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, ...credentials, '', ''];
  socket.write(lines.join('\r\n'));
  const head = await readHead(socket, signal);
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1] ?? 'no HTTP';
  if (status.startsWith('2')) return;
  const detail = `The outgoing proxy did not connect to the receiver (${status}).`;
  throw new AttemptError('connect', detail);
}

/** Returns an error for a proxy that cannot be reached or that closes the connection. */
export function proxyFailure(): AttemptError {
  return new AttemptError('connect', 'The connection to the outgoing proxy failed.');
}

/** Reads the head of the proxy's response. Bytes after it stay in the socket. */
function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    const stop = (): void => {
      socket.off('data', onData).off('close', onClose).pause();
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown): void => {
      stop();
      reject(error instanceof Error ? error : proxyFailure());
    };
    const onClose = (): void => fail(proxyFailure());
    const onAbort = (): void => fail(signal.reason);
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) {
        if (head.length > HEAD_BYTES_MAX) fail(proxyFailure());
        return;
      }
      stop();
      const rest = Buffer.from(head.slice(end + 4), 'latin1');
      if (rest.length > 0) socket.unshift(rest);
      resolve(head.slice(0, end));
    };
    socket.on('data', onData).once('close', onClose);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}
