import type { SecureContext } from 'node:tls';
import type { Clock } from '../../platform/clock.ts';
import type { Attempt } from './attempt.ts';
import { AttemptError } from './attempt-error.ts';
import { type Connection, makeConnection } from './connection.ts';
import { startDeadline } from './deadline.ts';
import { ADDRESSES_MAX, CONNECT_MS } from './limits.ts';
import { openSocket } from './open-socket.ts';
import type { Target } from './target.ts';

/**
 * Opens a connection to the first vetted address that takes it, all within one limit; an address
 * that stays silent leaves the others their share of it. A handshake that fails is final: the
 * others would show the same certificate. Writes address and times into the attempt.
 */
export async function openConnection(
  deps: { clock: Clock; secureContext: () => SecureContext },
  options: { target: Target; addresses: readonly string[]; attempt: Attempt },
): Promise<Connection> {
  const { target, attempt } = options;
  const addresses = options.addresses.slice(0, ADDRESSES_MAX);
  const endsAt = deps.clock.monotonicMs() + CONNECT_MS;
  let last = new AttemptError('connect', 'There is no address to connect to.');
  for (const [i, address] of addresses.entries()) {
    const limit = startDeadline(deps.clock, {
      ms: (endsAt - deps.clock.monotonicMs()) / (addresses.length - i),
      expire: () =>
        new AttemptError('timeout', 'The receiver did not take the connection in time.'),
      parent: attempt.deadline.signal,
    });
    attempt.remoteAddress = address;
    try {
      const opened = await openSocket({
        ...deps,
        address,
        port: target.port,
        servername: target.isTls ? target.host : null,
        signal: limit.signal,
      });
      attempt.connectMs = opened.connectMs;
      attempt.tlsMs = opened.tlsMs;
      return makeConnection({ origin: target.origin, address, socket: opened.socket });
    } catch (error) {
      if (!(error instanceof AttemptError) || attempt.deadline.reason !== null) throw error;
      if (error.code !== 'connect' && error.code !== 'timeout') throw error;
      last = error;
    } finally {
      limit.clear();
    }
  }
  throw last;
}
