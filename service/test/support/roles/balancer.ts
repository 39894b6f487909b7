import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { systemClock } from '../../../src/platform/clock.ts';

const CHECK_INTERVAL_MS = 200;

/** A TCP load balancer that distributes connections round-robin across the ready nodes. */
export interface Balancer {
  port: number;
  /** Returns the nodes that were ready at the last health check. */
  readyPorts(): readonly number[];
  /** Number of connections per node. */
  connections: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

/** Starts a balancer that checks every node's `/readyz` five times a second. */
export async function startBalancer(nodes: readonly number[]): Promise<Balancer> {
  const clock = systemClock();
  const connections = new Map(nodes.map((port) => [port, 0]));
  const ready = new Set<number>();
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  let isOpen = true;
  const checks = nodes.map(checkHealth);

  async function checkHealth(port: number): Promise<void> {
    while (isOpen) {
      if (await isReady(port)) ready.add(port);
      else ready.delete(port);
      await clock.sleep(CHECK_INTERVAL_MS);
    }
  }

  const server = createServer((client) => {
    connectionCount += 1;
    const ports = [...ready].toSorted((a, b) => a - b);
    const offset = connectionCount % Math.max(1, ports.length);
    forward(client, [...ports.slice(offset), ...ports.slice(0, offset)], {
      sockets,
      onConnect: (port) => connections.set(port, (connections.get(port) ?? 0) + 1),
      onError: (port) => ready.delete(port),
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    readyPorts: () => [...ready],
    connections,
    async close() {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
      server.close();
      await Promise.all(checks);
    },
  };
}

interface ForwardOptions {
  sockets: Set<Socket>;
  onConnect(port: number): void;
  onError(port: number): void;
}

/** Connects the client to the first of these nodes that accepts the connection. */
function forward(client: Socket, [port, ...others]: readonly number[], options: ForwardOptions) {
  track(client, options.sockets);
  if (port === undefined) return void client.destroy();
  const node = connect(port, '127.0.0.1');
  track(node, options.sockets);
  let isConnected = false;
  node.once('connect', () => {
    isConnected = true;
    options.onConnect(port);
    client.pipe(node).pipe(client);
  });
  node.on('error', () => {
    // The node was killed after the last check. Since nothing has been sent, the connection is
    // passed to the next node.
    options.onError(port);
    if (!isConnected && others.length > 0) forward(client, others, options);
    else client.destroy();
  });
  node.on('close', () => isConnected && client.destroySoon());
  client.on('error', () => node.destroy());
  client.on('close', () => node.destroy());
}

function track(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: 2_000 };
    const probe = request(options, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200));
      response.once('error', () => resolve(false));
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false)).end();
  });
}
