import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from '../../src/webhooks/message/signature.ts';
import type { Random } from '../../src/platform/random.ts';

/** What a receiver does with a POST. */
export type Behaviour =
  | 'answer'
  | 'store-then-fail'
  | 'store-then-reset'
  | 'reset'
  | 'fail'
  | 'hold';

/** Receivers on loopback with a ledger of their own, each at a path. */
export interface Receivers {
  port: number;
  /** The newest count seen at a path of a symbol, by `path symbol`; repeated ids count once. */
  newest: ReadonlyMap<string, number>;
  /** Ids that were answered 2xx. */
  answered: ReadonlySet<string>;
  /** Broken promises, in sentences. */
  wrong: readonly string[];
  postCount(): number;
  /** From now on. */
  behave(draw: () => Behaviour): void;
  /** Answers what is held, and holds no more. */
  release(status: number): void;
  heldCount(): number;
  close(): Promise<void>;
}

export async function startReceivers(secret: string): Promise<Receivers> {
  const newest = new Map<string, number>();
  const answered = new Set<string>();
  const bodies = new Map<string, string>();
  const arrived = new Map<string, number>();
  const wrong: string[] = [];
  let held: ServerResponse[] = [];
  let posts = 0;
  let draw: () => Behaviour = () => 'answer';

  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (body !== null) receive(request, response, body);
    });
  });

  function receive(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    posts += 1;
    check(request, body);
    const behaviour = draw();
    if (behaviour === 'reset') return void request.socket.destroy();
    if (behaviour === 'fail') return void response.writeHead(500).end();
    const id = store(request.url ?? '', body);
    if (behaviour === 'store-then-reset') return void request.socket.destroy();
    if (behaviour === 'store-then-fail') return void response.writeHead(503).end();
    if (behaviour === 'hold') return void held.push(response);
    // Before the answer leaves, so that whoever believes to have it finds it here.
    answered.add(id);
    response.writeHead(204).end();
  }

  function check(request: IncomingMessage, body: Buffer): void {
    const timestamp = String(request.headers['x-service-timestamp']);
    const signature = request.headers['x-service-signature'];
    const { id, context, data } = JSON.parse(body.toString('utf8')) as Posted;
    if (signature !== sign({ timestamp, body }, secret)) wrong.push(`${id}: signature`);
    if (request.headers['x-service-delivery-id'] !== id)
      wrong.push(`${id}: another id in the header`);
    const hash = createHash('sha256').update(body).digest('hex');
    const known = bodies.get(id) ?? hash;
    if (known !== hash) wrong.push(`${id}: came with another body`);
    bodies.set(id, hash);
    const key = `${request.url} ${context.symbol}`;
    const count = data.revenueEstimate ?? 0;
    if (count < (arrived.get(key) ?? 0)) wrong.push(`${id}: ${key} was posted older data`);
    arrived.set(key, count);
  }

  /** Stores what is new; an id that was stored is not looked at again. */
  function store(path: string, body: Buffer): string {
    const { id, context, data } = JSON.parse(body.toString('utf8')) as Posted;
    const key = `${path} ${context.symbol}`;
    if (stored.has(id)) return id;
    stored.add(id);
    const count = data.revenueEstimate ?? 0;
    if (count < (newest.get(key) ?? 0)) wrong.push(`${id}: ${key} went back to ${count}`);
    newest.set(key, count);
    return id;
  }
  const stored = new Set<string>();

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    newest,
    answered,
    wrong,
    postCount: () => posts,
    behave: (next) => {
      draw = next;
    },
    release(status) {
      for (const response of held) response.writeHead(status).end();
      held = [];
    },
    heldCount: () => held.length,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Seven of ten are answered; the rest is lost in every way. */
export function moody(random: Random): () => Behaviour {
  return () => {
    const draw = random.int(20);
    if (draw < 14) return 'answer';
    if (draw < 16) return 'store-then-fail';
    if (draw < 17) return 'store-then-reset';
    return draw < 18 ? 'reset' : 'fail';
  };
}

interface Posted {
  id: string;
  context: { symbol: string };
  data: { revenueEstimate: number | null };
}

/** Null when its sender was killed in the middle: what came is no whole body. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(piece as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(pieces);
}
