import type { Connection } from './connection.ts';
import { IDLE_MAX, IDLE_PER_ORIGIN_MAX } from './limits.ts';

/** Connections that wait for the next delivery: a new TLS handshake costs thirty times a POST. */
export interface IdleConnections {
  /** The one used last whose address is among those vetted; others to this origin are ended. */
  take(origin: string, addresses: readonly string[]): Connection | null;
  give(connection: Connection): void;
  size(): number;
  close(): void;
}

export function createIdleConnections(): IdleConnections {
  // In the order in which they became idle, each with its ear for the end of its socket.
  const idle = new Map<Connection, () => void>();
  const byOrigin = new Map<string, Set<Connection>>();

  function remove(connection: Connection): void {
    connection.socket.off('close', idle.get(connection) ?? (() => undefined));
    idle.delete(connection);
    const siblings = byOrigin.get(connection.origin);
    siblings?.delete(connection);
    if (siblings?.size === 0) byOrigin.delete(connection.origin);
  }

  function end(connection: Connection): void {
    remove(connection);
    connection.destroy();
  }

  return {
    take(origin, addresses) {
      let newest: Connection | null = null;
      for (const connection of byOrigin.get(origin) ?? []) {
        if (connection.isAlive() && addresses.includes(connection.address)) newest = connection;
        else end(connection);
      }
      if (newest !== null) remove(newest);
      return newest;
    },
    give(connection) {
      const siblings = byOrigin.get(connection.origin) ?? new Set();
      if (!connection.isAlive() || siblings.size >= IDLE_PER_ORIGIN_MAX) {
        return connection.destroy();
      }
      siblings.add(connection);
      byOrigin.set(connection.origin, siblings);
      const closed = (): void => remove(connection);
      idle.set(connection, closed);
      connection.socket.once('close', closed);
      const [oldest] = idle.keys();
      if (idle.size > IDLE_MAX && oldest !== undefined) end(oldest);
    },
    size: () => idle.size,
    close() {
      for (const connection of idle.keys()) end(connection);
    },
  };
}
