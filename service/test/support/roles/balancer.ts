import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { systemClock } from '../../../src/platform/clock.ts';

const LOOK_MS = 200;

/** A TCP load balancer with round robin over the ready nodes. */
export interface Balancer {
  port: number;
  /** Nodes that were ready at the last health check. */
  readyPorts(): readonly number[];
  /** Number of connections per node. */
  connections: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

/** Checks `/readyz` of every node five times a second. */
export async function startBalancer(nodes: readonly number[]): Promise<Balancer> {
  const clock = systemClock();
  const connections = new Map(nodes.map((port) => [port, 0]));
  const ready = new Set<number>();
  const sockets = new Set<Socket>();
  let turn = 0;
  let isOpen = true;
  const looking = nodes.map(look);

  async function look(port: number): Promise<void> {
    while (isOpen) {
      if (await isReady(port)) ready.add(port);
      else ready.delete(port);
      await clock.sleep(LOOK_MS);
    }
  }

  const server = createServer((client) => {
    join(
      client,
      [...ready].toSorted((a, b) => a - b),
    );
  });

  function join(client: Socket, candidates: readonly number[]): void {
    turn += 1;
    const [port, ...others] = [
      ...candidates.slice(turn % Math.max(1, candidates.length)),
      ...candidates.slice(0, turn % Math.max(1, candidates.length)),
    ];
    keep(client);
    if (port === undefined) return void client.destroy();
    const node = connect(port, '127.0.0.1');
    keep(node);
    let isJoined = false;
    node.once('connect', () => {
      isJoined = true;
      connections.set(port, (connections.get(port) ?? 0) + 1);
      client.pipe(node).pipe(client);
    });
    node.on('error', () => {
      // The node was killed since the last check. Nothing has been sent, so another node gets the
      // connection.
      ready.delete(port);
      if (!isJoined && others.length > 0) join(client, others);
      else client.destroy();
    });
    node.on('close', () => isJoined && client.destroySoon());
    client.on('error', () => node.destroy());
    client.on('close', () => node.destroy());
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

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
      await Promise.all(looking);
    },
  };
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/readyz', agent: false, timeout: 2_000 };
    const asked = request(options, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200));
      response.once('error', () => resolve(false));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(false)).end();
  });
}
