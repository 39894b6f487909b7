import type { Random } from '../../../src/platform/random.ts';
import type { PostOutcome, PostRequest, WebhookAgent } from '../../../src/delivery/send/agent.ts';
import type { Counts } from './counts.ts';
import { between, chance } from './random-draws.ts';
import type { SimulatedProcess } from './process.ts';
import type { Receiver, ReceiverResponse } from './receiver.ts';
import type { Timeline } from './timeline.ts';

/** Total timeout for one attempt. */
const TOTAL_MS = 15_000;
const TIMINGS = { dnsMs: null, connectMs: 1, tlsMs: 1, firstByteMs: 1, totalMs: 4 };

export interface NetworkDeps {
  timeline: Timeline;
  random: Random;
  counts: Counts;
  receivers: ReadonlyMap<string, Receiver>;
  /** Called for each post before any random draw for that post. */
  onPost(body: string): Promise<void>;
  /** Called when a sender receives a 2xx. */
  onDelivered(id: string, endpointId: string): void;
  /**
   * True to send nothing once `beforeFirstByte` forbids it. False simulates a sender without that
   * check.
   */
  isFenced: boolean;
}

interface InFlight {
  request: PostRequest;
  body: string;
  connectMs: number;
  resolve(outcome: PostOutcome): void;
}

/**
 * Network between one process and the receivers. It loses, duplicates, delays and resets requests.
 * A request that was sent arrives even if its process dies, but the process's later steps do not
 * happen.
 */
export class SimulatedAgent implements WebhookAgent {
  readonly #process: SimulatedProcess;
  readonly #deps: NetworkDeps;
  readonly #open = new Set<(outcome: PostOutcome) => void>();

  constructor(process: SimulatedProcess, deps: NetworkDeps) {
    this.#process = process;
    this.#deps = deps;
  }

  async post(request: PostRequest): Promise<PostOutcome> {
    const { random } = this.#deps;
    const body = Buffer.from(request.body).toString('utf8');
    await this.#deps.onPost(body);
    const { promise, resolve } = Promise.withResolvers<PostOutcome>();
    this.#open.add(resolve);
    const connectMs = between(random, 2, chance(random, 0.05) ? 5_000 : 150);
    this.#process.onNextPost?.();
    this.#process.onNextPost = null;
    const flight = { request, body, connectMs, resolve };
    this.#process.setExactTimer(connectMs, () => this.#send(flight));
    const outcome = await promise;
    this.#open.delete(resolve);
    return outcome;
  }

  close(): Promise<void> {
    for (const resolve of this.#open) resolve(failure('reset', true));
    return Promise.resolve();
  }

  #send(flight: InFlight): void {
    const { random, counts, timeline, receivers, isFenced } = this.#deps;
    const { request, connectMs, resolve } = flight;
    const receiver = receivers.get(request.url);
    if (receiver === undefined || receiver.mood === 'dead' || chance(random, 0.02)) {
      counts.add('network: connection refused');
      return resolve(failure('connect', false));
    }
    const mayStart = request.beforeFirstByte?.() ?? true;
    if (!mayStart && isFenced) {
      counts.add('network: too late to send');
      return resolve(failure('not_sent', false));
    }
    this.#process.setExactTimer(TOTAL_MS - connectMs, () => resolve(failure('timeout', true)));
    const draw = random.float();
    if (draw < 0.02) return counts.add('network: request lost');
    const transitMs = between(random, 1, chance(random, 0.1) ? 3_000 : 100);
    timeline.at(transitMs, () => this.#arrive(flight, receiver));
    if (draw < 0.04) {
      counts.add('network: request duplicated');
      timeline.at(transitMs + between(random, 1, 4_000), () => this.#receive(flight, receiver));
    } else if (draw < 0.06) {
      counts.add('network: reset');
      this.#process.setExactTimer(transitMs + 1, () => resolve(failure('reset', true)));
    }
  }

  #arrive(flight: InFlight, receiver: Receiver): void {
    const { random, counts, onDelivered } = this.#deps;
    const response = this.#receive(flight, receiver);
    if (response === null) return;
    if (chance(random, 0.02)) return counts.add('network: response lost');
    const id = (JSON.parse(flight.body) as { id: string }).id;
    this.#process.setExactTimer(response.delayMs, () => {
      if (!this.#open.has(flight.resolve)) return;
      if (response.status >= 200 && response.status < 300) onDelivered(id, receiver.endpointId);
      flight.resolve(success(response));
    });
  }

  #receive({ request, body }: InFlight, receiver: Receiver): ReceiverResponse | null {
    const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    this.#deps.counts.add(`receiver: ${receiver.mood}`);
    return receiver.receive(headers, body);
  }
}

function success({ status, headers }: ReceiverResponse): PostOutcome {
  const remoteAddress = '203.0.113.7';
  return {
    kind: 'responded',
    status,
    headers,
    body: '',
    truncated: false,
    remoteAddress,
    timings: TIMINGS,
  };
}

function failure(
  code: Extract<PostOutcome, { kind: 'failed' }>['code'],
  maybeSent: boolean,
): PostOutcome {
  return {
    kind: 'failed',
    code,
    detail: code,
    remoteAddress: null,
    timings: TIMINGS,
    maybeSent,
  };
}
