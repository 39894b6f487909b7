import type { Connection } from './connection.ts';
import { IDLE_CONNECTIONS_MAX } from './limits.ts';

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
  /** Idle connections, oldest first. */
  readonly #idle = new Set<Connection>();
  readonly #watched = new WeakSet<Connection>();
  readonly #byOrigin = new Map<string, OriginConnections>();

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
        if (last.isAlive()) return last;
        last.destroy();
      }
    }
    return null;
  }

  release(connection: Connection): void {
    if (!connection.isAlive()) return connection.destroy();
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
    if (this.#idle.size <= IDLE_CONNECTIONS_MAX) return;
    const [oldest] = this.#idle;
    if (oldest !== undefined) this.#destroy(oldest);
  }

  close(): void {
    for (const connection of Array.from(this.#idle)) this.#destroy(connection);
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
