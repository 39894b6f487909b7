import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `open` forwards everything, `refused` resets connections and rejects new ones, and `silent`
 * accepts everything and forwards nothing.
 */
export type PathState = 'open' | 'refused' | 'silent';

/** A TCP proxy in front of a server. Tests can interrupt its connections. */
export interface TcpPath {
  port: number;
  set(state: PathState): void;
  close(): void;
}

export async function startTcpPath(toPort: number): Promise<TcpPath> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: PathState = 'open';

  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'refused') return void near.destroy();
    const pair = [near, connect(toPort, '127.0.0.1')] as const;
    const [, far] = pair;
    far.on('error', () => far.destroy());
    pairs.add(pair);
    near.on('close', () => {
      pairs.delete(pair);
      far.destroy();
    });
    far.on('close', () => near.destroy());
    if (state === 'silent') hold(pair);
    else join(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function set(next: PathState): void {
    if (next === 'refused') for (const [near] of pairs) near.destroy();
    if (next === 'silent') for (const pair of pairs) hold(pair);
    if (next === 'open' && state === 'silent') for (const pair of pairs) join(pair);
    state = next;
  }

  return {
    port: (server.address() as AddressInfo).port,
    set,
    close() {
      set('refused');
      server.close();
    },
  };
}

function join([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far).pipe(near);
}

/** Holds data in transit until the path is open again, like packets that a network retransmits. */
function hold([near, far]: readonly [Socket, Socket]): void {
  near.unpipe(far);
  far.unpipe(near);
  near.pause();
  far.pause();
}
