import type { Clock } from '../../platform/clock.ts';
import type { Connection } from './connection.ts';
import { CONNECTION_AGE_MS_MAX } from './limits.ts';

/**
 * Connections to one origin, keyed by address. Each list is ordered from least to most recently
 * used, and connections are taken from its end, so that rarely used connections time out.
 */
type OriginConnections = Map<string, Connection[]>;

/**
 * Idle connections kept for later deliveries, because a TLS handshake costs thirty times as much as
 * a POST. Many endpoints may share a host, so the limit applies to all hosts together.
 */
export class ConnectionPool {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #idleMax: number;
  /** Idle connections, oldest first. */
  readonly #idle = new Set<Connection>();
  readonly #watched = new WeakSet<Connection>();
  readonly #byOrigin = new Map<string, OriginConnections>();

  constructor({ clock, idleMax }: { clock: Pick<Clock, 'monotonicMs'>; idleMax: number }) {
    this.#clock = clock;
    this.#idleMax = idleMax;
  }

  /**
   * Takes a connection to one of the vetted addresses. Closes connections to other addresses of the
   * origin.
   */
  take(origin: string, addresses: readonly string[]): Connection | null {
    const byAddress = this.#connectionsOf(origin);
    for (const [address, connections] of byAddress) {
      if (addresses.includes(address)) continue;
      for (const connection of connections.slice()) this.#destroy(connection);
    }
    for (const connections of byAddress.values()) {
      for (let last = connections.at(-1); last !== undefined; last = connections.at(-1)) {
        this.#remove(last);
        if (this.#isUsable(last)) return last;
        last.destroy();
      }
    }
    return null;
  }

  release(connection: Connection): void {
    if (!this.#isUsable(connection)) return connection.destroy();
    const { origin, address, socket } = connection;
    const byAddress = this.#connectionsOf(origin);
    const connections = byAddress.get(address) ?? [];
    connections.push(connection);
    this.#byOrigin.set(origin, byAddress.set(address, connections));
    this.#idle.add(connection);
    // Adds only one listener per connection, because a connection may become idle thousands of
    // times.
    if (!this.#watched.has(connection)) socket.once('close', () => this.#remove(connection));
    this.#watched.add(connection);
    if (this.#idle.size <= this.#idleMax) return;
    const [oldest] = this.#idle;
    if (oldest !== undefined) this.#destroy(oldest);
  }

  close(): void {
    for (const connection of Array.from(this.#idle)) this.#destroy(connection);
  }

  #isUsable(connection: Connection): boolean {
    const ageMs = this.#clock.monotonicMs() - connection.openedAtMs;
    return connection.isAlive() && ageMs < CONNECTION_AGE_MS_MAX;
  }

  #connectionsOf(origin: string): OriginConnections {
    return this.#byOrigin.get(origin) ?? new Map();
  }

  #destroy(connection: Connection): void {
    this.#remove(connection);
    connection.destroy();
  }

  #remove(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const { origin, address } = connection;
    const byAddress = this.#byOrigin.get(origin);
    const connections = byAddress?.get(address) ?? [];
    const index = connections.lastIndexOf(connection);
    if (index !== -1) connections.splice(index, 1);
    if (connections.length === 0) byAddress?.delete(address);
    if (byAddress?.size === 0) this.#byOrigin.delete(origin);
  }
}
