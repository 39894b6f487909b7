import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { parseAddress } from '../../webhooks/address/forbidden-address.ts';
import type { Clock } from '../../platform/clock.ts';
import { AttemptError, connectFailure, tlsFailure } from './attempt-error.ts';

export interface OpenSocketOptions {
  /** A vetted one: nothing is looked up here. */
  address: string;
  port: number;
  /** The name that the certificate must bear; null for plain http. */
  servername: string | null;
  clock: Clock;
  secureContext: () => SecureContext;
  signal: AbortSignal;
}

export interface OpenedSocket {
  socket: Socket;
  connectMs: number;
  tlsMs: number | null;
}

/** A connection that stands, to that address and no other. Rejects with `AttemptFailed`. */
export async function openSocket(options: OpenSocketOptions): Promise<OpenedSocket> {
  const { address, port, servername, clock, signal } = options;
  signal.throwIfAborted();
  const startedAt = clock.monotonicMs();
  const tcp = connectTcp({ host: address, port, noDelay: true });
  try {
    await event(tcp, { name: 'connect', signal, failure: connectFailure });
    // Before anything is said, the handshake included.
    if (!isSame(tcp.remoteAddress, address)) {
      throw new AttemptError('blocked_address', 'The connection leads to another address.');
    }
    const connectedAt = clock.monotonicMs();
    const connectMs = connectedAt - startedAt;
    if (servername === null) return { socket: tcp, connectMs, tlsMs: null };
    const socket = connectTls({
      socket: tcp,
      // Checked against the certificate; only names may be told the receiver.
      host: servername,
      servername: isIP(servername) === 0 ? servername : '',
      secureContext: options.secureContext(),
      ALPNProtocols: ['http/1.1'],
      // Said aloud, since the environment has a say in the default.
      rejectUnauthorized: true,
    });
    await event(socket, { name: 'secureConnect', signal, failure: tlsFailure });
    return { socket, connectMs, tlsMs: clock.monotonicMs() - connectedAt };
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}

function isSame(remote: string | undefined, vetted: string): boolean {
  const [one, other] = [parseAddress(remote ?? ''), parseAddress(vetted)];
  return one !== null && other !== null && one.toString() === other.toString();
}

/** Waits for an event; a socket that errs, closes or is out of time is destroyed. */
function event(
  socket: Socket,
  options: { name: string; signal: AbortSignal; failure: (error: unknown) => AttemptError },
): Promise<void> {
  const { name, signal, failure } = options;
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      socket.off(name, done).off('close', closed);
      signal.removeEventListener('abort', stop);
      if (error === undefined) return resolve();
      socket.destroy();
      reject(error);
    };
    const done = (): void => settle();
    const stop = (): void => settle(signal.reason as Error);
    const closed = (): void => settle(failure(Object.assign(new Error(), { code: 'ECONNRESET' })));
    // Stays on: an error of a socket that nobody waits for any more must not end the process.
    socket.on('error', (error) => settle(failure(error)));
    socket.once(name, done).once('close', closed);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
}
