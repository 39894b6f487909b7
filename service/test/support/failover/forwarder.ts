import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP port that leads to a server, as a floating address or a proxy does. */
export interface Forwarder {
  port: number;
  /** Leads new connections to another port, or nowhere. */
  lead(port: number | null): void;
  /** Closes all connections. */
  cut(): void;
  /** Leaves all connections open without passing anything on, as a lost machine does. */
  mute(): void;
  close(): void;
}

export async function startForwarder(target: number | null): Promise<Forwarder> {
  let port = target;
  const pairs = new Set<[client: Socket, server: Socket]>();
  const muted = new Set<Socket>();
  const listener = createServer((client) => {
    client.on('error', () => undefined);
    if (port === null) return void client.destroy();
    const server = connect(port, '127.0.0.1');
    const pair: [Socket, Socket] = [client, server];
    pairs.add(pair);
    server.on('error', () => undefined);
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.pipe(server).pipe(client);
    const end = (): void => {
      if (!pairs.delete(pair)) return;
      client.destroy();
      server.destroy();
    };
    client.once('close', end);
    server.once('close', end);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');

  function cut(): void {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    for (const socket of muted) socket.destroy();
    muted.clear();
  }

  return {
    port: (listener.address() as AddressInfo).port,
    lead: (next) => void (port = next),
    cut,
    mute() {
      for (const pair of pairs) {
        const [client, server] = pair;
        pairs.delete(pair);
        client.unpipe();
        server.unpipe();
        client.resume();
        muted.add(client);
        server.destroy();
      }
    },
    close() {
      cut();
      listener.close();
    },
  };
}
