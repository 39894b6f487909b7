import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export interface WatchedConnections {
  /** Every address and port that a socket of this process was told to connect to. */
  tried: { address: string; port: number }[];
  /** The sockets, in the order in which they were made. */
  sockets: Socket[];
  stop(): void;
}

/** Sees the sockets themselves, whatever the code that opened them says of it. */
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
