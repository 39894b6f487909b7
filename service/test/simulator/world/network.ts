import type { Random } from '../../../src/platform/random.ts';
import type { PostOutcome, PostRequest, WebhookAgent } from '../../../src/delivery/send/agent.ts';
import type { Counts } from './counts.ts';
import { between, chance } from './draws.ts';
import type { SimulatedProcess } from './process.ts';
import type { Receiver, ReceiverAnswer } from './receiver.ts';
import type { Timeline } from './timeline.ts';

/** Total timeout of one attempt. */
const TOTAL_MS = 15_000;

export interface NetworkDeps {
  timeline: Timeline;
  random: Random;
  counts: Counts;
  receivers: ReadonlyMap<string, Receiver>;
  /** Called for each post before any random draw for it. */
  onPost(body: string): Promise<void>;
  /** Called when a sender receives 2xx. */
  onDelivered(id: string, endpointId: string): void;
  /** False to simulate the failures that the fence prevents. */
  isFenced: boolean;
}

/**
 * Network between one process and the receivers. It loses, duplicates, delays and resets requests.
 * A request that was sent arrives even if its process dies; later steps of the process do not
 * happen.
 */
export function simulatedAgent(process: SimulatedProcess, deps: NetworkDeps): WebhookAgent {
  const { timeline, random, counts, receivers } = deps;
  const open = new Set<(outcome: PostOutcome) => void>();

  async function post(request: PostRequest): Promise<PostOutcome> {
    const body = Buffer.from(request.body).toString('utf8');
    await deps.onPost(body);
    const { promise, resolve } = Promise.withResolvers<PostOutcome>();
    open.add(resolve);
    const connectMs = between(random, 2, chance(random, 0.05) ? 5_000 : 150);
    process.onNextPost?.();
    process.onNextPost = null;
    process.setExactTimer(connectMs, () => send({ request, body, connectMs, resolve }));
    const outcome = await promise;
    open.delete(resolve);
    return outcome;
  }

  function send(flight: Flight): void {
    const { request, connectMs, resolve } = flight;
    const receiver = receivers.get(request.url);
    if (receiver === undefined || receiver.mood === 'dead' || chance(random, 0.02)) {
      counts.add('network: connection refused');
      return resolve(failed('connect', false));
    }
    const mayStart = request.beforeFirstByte?.() ?? true;
    if (!mayStart && deps.isFenced) {
      counts.add('network: too late to send');
      return resolve(failed('not_sent', false));
    }
    process.setExactTimer(TOTAL_MS - connectMs, () => resolve(failed('timeout', true)));
    const draw = random.float();
    if (draw < 0.02) return counts.add('network: request lost');
    const transitMs = between(random, 1, chance(random, 0.1) ? 3_000 : 100);
    timeline.at(transitMs, () => arrive(flight, receiver));
    if (draw < 0.04) {
      counts.add('network: request doubled');
      timeline.at(transitMs + between(random, 1, 4_000), () => take(flight, receiver));
    } else if (draw < 0.06) {
      counts.add('network: reset');
      process.setExactTimer(transitMs + 1, () => resolve(failed('reset', true)));
    }
  }

  function arrive(flight: Flight, receiver: Receiver): void {
    const answer = take(flight, receiver);
    if (answer === null) return;
    if (chance(random, 0.02)) return counts.add('network: answer lost');
    const id = (JSON.parse(flight.body) as { id: string }).id;
    process.setExactTimer(answer.delayMs, () => {
      if (!open.has(flight.resolve)) return;
      if (answer.status >= 200 && answer.status < 300) deps.onDelivered(id, receiver.endpointId);
      flight.resolve(answered(answer));
    });
  }

  function take({ request, body }: Flight, receiver: Receiver): ReceiverAnswer | null {
    const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    counts.add(`receiver: ${receiver.mood}`);
    return receiver.take(headers, body);
  }

  return {
    post,
    close() {
      for (const resolve of open) resolve(failed('reset', true));
      return Promise.resolve();
    },
  };
}

interface Flight {
  request: PostRequest;
  body: string;
  connectMs: number;
  resolve(outcome: PostOutcome): void;
}

const TIMINGS = { dnsMs: null, connectMs: 1, tlsMs: 1, firstByteMs: 1, totalMs: 4 };

function answered({ status, headers }: ReceiverAnswer): PostOutcome {
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

function failed(
  code: Extract<PostOutcome, { kind: 'failed' }>['code'],
  maybeSent: boolean,
): PostOutcome {
  return {
    kind: 'failed',
    code,
    detail: code,
    remoteAddress: null,
    timings: TIMINGS,
    maybeSent: maybeSent,
  };
}
