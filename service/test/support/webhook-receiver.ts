import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from '../../src/webhooks/message/signature.ts';
import type { Random } from '../../src/platform/random.ts';

/** Reaction of a receiver to one request. */
export type Behaviour =
  | 'answer'
  | 'store-then-fail'
  | 'store-then-reset'
  | 'reset'
  | 'fail'
  | 'hold';

/**
 * Receivers on the loopback address, one per path, with a ledger of the deliveries they received.
 */
export interface Receivers {
  port: number;
  /** The latest count received, by `path symbol`. Repeated ids are ignored. */
  latestCounts: ReadonlyMap<string, number>;
  /** Ids that were acknowledged with a 2xx. */
  acknowledgedIds: ReadonlySet<string>;
  /** Violated guarantees as sentences. */
  violations: readonly string[];
  postCount(): number;
  /** Sets the receivers' behavior from now on. */
  behave(draw: () => Behaviour): void;
  /** Forgets which data each endpoint has, because the store has lost its newest changes. */
  allowOlderData(): void;
  /** Responds to all held requests with this status. */
  respondToHeld(status: number): void;
  heldCount(): number;
  close(): Promise<void>;
}

export async function startReceivers(secret: string): Promise<Receivers> {
  const receivers = new LoopbackReceivers(secret);
  await receivers.listen();
  return receivers;
}

class LoopbackReceivers implements Receivers {
  readonly latestCounts = new Map<string, number>();
  readonly acknowledgedIds = new Set<string>();
  readonly violations: string[] = [];
  readonly #secret: string;
  readonly #server: Server;
  readonly #bodyHashes = new Map<string, string>();
  readonly #storedIds = new Set<string>();
  /** The latest count posted, by `path symbol`. */
  readonly #posted = new Map<string, number>();
  #held: ServerResponse[] = [];
  #postCount = 0;
  #draw: () => Behaviour = () => 'answer';

  constructor(secret: string) {
    this.#secret = secret;
    this.#server = createServer((request, response) => {
      void readBody(request).then((body) => {
        if (body !== null) this.#receive(request, response, body);
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  postCount(): number {
    return this.#postCount;
  }

  behave(draw: () => Behaviour): void {
    this.#draw = draw;
  }

  allowOlderData(): void {
    this.#posted.clear();
    this.latestCounts.clear();
  }

  respondToHeld(status: number): void {
    for (const response of this.#held) response.writeHead(status).end();
    this.#held = [];
  }

  heldCount(): number {
    return this.#held.length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #receive(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    this.#postCount += 1;
    this.#check(request, body);
    const behaviour = this.#draw();
    if (behaviour === 'reset') return void request.socket.destroy();
    if (behaviour === 'fail') return void response.writeHead(500).end();
    const id = this.#store(request.url ?? '', body);
    if (behaviour === 'store-then-reset') return void request.socket.destroy();
    if (behaviour === 'store-then-fail') return void response.writeHead(503).end();
    if (behaviour === 'hold') return void this.#held.push(response);
    // Adds the id before the response is sent, so that a recorded 2xx is always in the ledger.
    this.acknowledgedIds.add(id);
    response.writeHead(204).end();
  }

  #check(request: IncomingMessage, body: Buffer): void {
    const timestamp = String(request.headers['x-service-timestamp']);
    const signature = request.headers['x-service-signature'];
    const { id, context, data } = JSON.parse(body.toString('utf8')) as Payload;
    if (signature !== sign({ timestamp, body }, this.#secret)) {
      this.violations.push(`${id}: invalid signature`);
    }
    if (request.headers['x-service-delivery-id'] !== id) {
      this.violations.push(`${id}: different id in the header`);
    }
    const hash = createHash('sha256').update(body).digest('hex');
    if ((this.#bodyHashes.get(id) ?? hash) !== hash) {
      this.violations.push(`${id}: posted with a different body`);
    }
    this.#bodyHashes.set(id, hash);
    const key = `${request.url} ${context.symbol}`;
    const count = data.revenueEstimate ?? 0;
    if (count < (this.#posted.get(key) ?? 0)) {
      this.violations.push(`${id}: older data was posted to ${key}`);
    }
    this.#posted.set(key, count);
  }

  /** Stores the data of a new id. Repeated ids are ignored. */
  #store(path: string, body: Buffer): string {
    const { id, context, data } = JSON.parse(body.toString('utf8')) as Payload;
    const key = `${path} ${context.symbol}`;
    if (this.#storedIds.has(id)) return id;
    this.#storedIds.add(id);
    const count = data.revenueEstimate ?? 0;
    if (count < (this.latestCounts.get(key) ?? 0))
      this.violations.push(`${id}: ${key} received the older count ${count}`);
    this.latestCounts.set(key, count);
    return id;
  }
}

/** Acknowledges seven in ten requests and loses the rest in every possible way. */
export function flaky(random: Random): () => Behaviour {
  return () => {
    const draw = random.int(20);
    if (draw < 14) return 'answer';
    if (draw < 16) return 'store-then-fail';
    if (draw < 17) return 'store-then-reset';
    return draw < 18 ? 'reset' : 'fail';
  };
}

interface Payload {
  id: string;
  context: { symbol: string };
  data: { revenueEstimate: number | null };
}

/**
 * Returns the body, or null if the sender was killed while sending, so that the body is incomplete.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
