import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { parseAddress } from '../../webhooks/address/forbidden-address.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Attempt } from './attempt.ts';
import { AttemptError, connectFailure, tlsFailure } from './attempt-error.ts';
import { type Connection, makeConnection } from './connection.ts';
import { Deadline } from './deadline.ts';
import { ADDRESSES_MAX, CONNECT_MS, TCP_KEEP_ALIVE_MS } from './limits.ts';
import { type EgressProxy, openTunnel, proxyFailure } from './proxy-tunnel.ts';
import type { TlsSessions } from './tls-sessions.ts';

/** The origin to which a request is sent. */
export interface Target {
  /** Scheme, host name and port. */
  origin: string;
  host: string;
  port: number;
  isTls: boolean;
}

export interface ConnectionDeps {
  clock: Clock;
  secureContext: () => SecureContext;
  sessions: TlsSessions;
  /** The proxy to connect through; null to connect directly. */
  proxy: EgressProxy | null;
}

/**
 * Connects to the first vetted address that accepts. All addresses share one time limit, and each
 * gets an equal share of the remaining time. A failed handshake is final, because the other
 * addresses would present the same certificate. Writes the address and timings to the attempt.
 */
export async function openConnection(
  deps: ConnectionDeps,
  options: { target: Target; addresses: readonly string[]; attempt: Attempt },
): Promise<Connection> {
  const { target, attempt } = options;
  const addresses = options.addresses.slice(0, ADDRESSES_MAX);
  const endsAt = deps.clock.monotonicMs() + CONNECT_MS;
  let lastError = new AttemptError('connect', 'There is no address to connect to.');
  for (const [i, address] of addresses.entries()) {
    const deadline = new Deadline(deps.clock, {
      ms: (endsAt - deps.clock.monotonicMs()) / (addresses.length - i),
      expire: () =>
        new AttemptError('timeout', 'The receiver did not accept the connection in time.'),
      parent: attempt.deadline.signal,
    });
    attempt.remoteAddress = address;
    try {
      const { socket, connectMs, tlsMs } = await openSocket({
        ...deps,
        address,
        port: target.port,
        origin: target.origin,
        servername: target.isTls ? target.host : null,
        signal: deadline.signal,
      });
      attempt.connectMs = connectMs;
      attempt.tlsMs = tlsMs;
      const openedAtMs = deps.clock.monotonicMs();
      return makeConnection({ origin: target.origin, address, openedAtMs, socket });
    } catch (error) {
      if (!(error instanceof AttemptError) || attempt.deadline.reason !== null) throw error;
      if (error.code !== 'connect' && error.code !== 'timeout') throw error;
      lastError = error;
    } finally {
      deadline.clear();
    }
  }
  throw lastError;
}

export interface OpenSocketOptions extends ConnectionDeps {
  /** A vetted address, to which the socket connects without resolving a name. */
  address: string;
  port: number;
  /** The origin whose TLS session may be resumed. */
  origin: string;
  /** The host name for which the certificate must be valid. Null for plain HTTP. */
  servername: string | null;
  signal: AbortSignal;
}

export interface OpenedSocket {
  socket: Socket;
  connectMs: number;
  tlsMs: number | null;
}

/** Connects to exactly this address. Rejects with `AttemptError` on failure. */
export async function openSocket(options: OpenSocketOptions): Promise<OpenedSocket> {
  const { origin, servername, clock, sessions, signal, proxy } = options;
  signal.throwIfAborted();
  const startedAt = clock.monotonicMs();
  const { address: host, port } = options;
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS };
  const tcp = connectTcp({ noDelay: true, ...keepAlive, ...(proxy ?? { host, port }) });
  try {
    const failure = proxy === null ? connectFailure : proxyFailure;
    await waitFor(tcp, { event: 'connect', signal, failure });
    await (proxy === null ? requireAddress(tcp, host) : openTunnel(tcp, { ...options, proxy }));
    const connectedAt = clock.monotonicMs();
    const connectMs = connectedAt - startedAt;
    if (servername === null) return { socket: tcp, connectMs, tlsMs: null };
    const socket = connectTls({
      socket: tcp,
      // The name to check the certificate against. SNI may contain only names.
      host: servername,
      servername: isIP(servername) === 0 ? servername : '',
      secureContext: options.secureContext(),
      ALPNProtocols: ['http/1.1'],
      session: sessions.get(origin),
      // Set explicitly, because an environment variable can change the default.
      rejectUnauthorized: true,
    });
    sessions.watch(origin, socket);
    await waitFor(socket, { event: 'secureConnect', signal, failure: tlsFailure });
    return { socket, connectMs, tlsMs: clock.monotonicMs() - connectedAt };
  } catch (error) {
    tcp.destroy();
    sessions.forget(origin);
    throw error;
  }
}

/** Checked before any byte is sent, including the TLS handshake. */
function requireAddress(tcp: Socket, address: string): void {
  if (isSameAddress(tcp.remoteAddress, address)) return;
  throw new AttemptError('blocked_address', 'The connection leads to another address.');
}

function isSameAddress(remote: string | undefined, expected: string): boolean {
  const remoteAddress = parseAddress(remote ?? '');
  const expectedAddress = parseAddress(expected);
  if (remoteAddress === null || expectedAddress === null) return false;
  return remoteAddress.toString() === expectedAddress.toString();
}

/** Waits for an event. Destroys the socket on an error, a close or an abort. */
function waitFor(
  socket: Socket,
  options: { event: string; signal: AbortSignal; failure: (error: unknown) => AttemptError },
): Promise<void> {
  const { event, signal, failure } = options;
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      socket.off(event, onEvent).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      if (error === undefined) return resolve();
      socket.destroy();
      reject(error);
    };
    const onEvent = (): void => settle();
    const onAbort = (): void => settle(signal.reason as Error);
    const onClose = (): void => settle(failure(Object.assign(new Error(), { code: 'ECONNRESET' })));
    // Never removed, because an error without a listener would end the process.
    socket.on('error', (error) => settle(failure(error)));
    socket.once(event, onEvent).once('close', onClose);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}
