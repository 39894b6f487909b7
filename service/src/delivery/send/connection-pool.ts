import type { Connection } from './connection.ts';
import { IDLE_MAX } from './limits.ts';

/**
 * Connections that wait for the next delivery: a new TLS handshake costs thirty times a POST. Many
 * endpoints may share one host, so that the limit is that of all together.
 */
export interface ConnectionPool {
  /** One to an address among those vetted; those to other addresses are ended. */
  take(origin: string, addresses: readonly string[]): Connection | null;
  release(connection: Connection): void;
  size(): number;
  close(): void;
}

/** Connections to one origin by address; the one used last stands last, so that the others may end. */
type OfOrigin = Map<string, Connection[]>;

export function createConnectionPool(): ConnectionPool {
  // In the order in which they became idle.
  const idle = new Set<Connection>();
  const heard = new WeakSet<Connection>();
  const byOrigin = new Map<string, OfOrigin>();

  function remove(connection: Connection): void {
    if (!idle.delete(connection)) return;
    const ofOrigin = byOrigin.get(connection.origin);
    const siblings = ofOrigin?.get(connection.address) ?? [];
    const place = siblings.lastIndexOf(connection);
    if (place !== -1) siblings.splice(place, 1);
    if (siblings.length === 0) ofOrigin?.delete(connection.address);
    if (ofOrigin?.size === 0) byOrigin.delete(connection.origin);
  }

  function end(connection: Connection): void {
    remove(connection);
    connection.destroy();
  }

  return {
    take(origin, addresses) {
      const ofOrigin: OfOrigin = byOrigin.get(origin) ?? new Map();
      for (const [address, siblings] of ofOrigin) {
        if (!addresses.includes(address)) for (const one of siblings.slice()) end(one);
      }
      for (const siblings of ofOrigin.values()) {
        for (let last = siblings.at(-1); last !== undefined; last = siblings.at(-1)) {
          remove(last);
          if (last.isAlive()) return last;
          last.destroy();
        }
      }
      return null;
    },
    release(connection) {
      if (!connection.isAlive()) return connection.destroy();
      const ofOrigin: OfOrigin = byOrigin.get(connection.origin) ?? new Map();
      const siblings = ofOrigin.get(connection.address) ?? [];
      siblings.push(connection);
      byOrigin.set(connection.origin, ofOrigin.set(connection.address, siblings));
      idle.add(connection);
      // One ear for all of its life: it may be idle thousands of times.
      if (!heard.has(connection)) connection.socket.once('close', () => remove(connection));
      heard.add(connection);
      if (idle.size <= IDLE_MAX) return;
      const [oldest] = idle;
      if (oldest !== undefined) end(oldest);
    },
    size: () => idle.size,
    close() {
      for (const connection of Array.from(idle)) end(connection);
    },
  };
}
