import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export interface WatchedConnections {
  /** Every address and port to which a socket in this process tried to connect. */
  tried: { address: string; port: number }[];
  /** Sockets in order of creation. */
  sockets: Socket[];
  stop(): void;
}

/** Observes the sockets themselves, independently of the code that opens them. */
export function watchConnections(): WatchedConnections {
  const tried: WatchedConnections['tried'] = [];
  const sockets: Socket[] = [];
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    sockets.push(socket);
    socket.on('connectionAttempt', (address: string, port: number) =>
      tried.push({ address, port }),
    );
  };
  subscribe('net.client.socket', onSocket);
  return { tried, sockets, stop: () => void unsubscribe('net.client.socket', onSocket) };
}
