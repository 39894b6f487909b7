import { createHmac } from 'node:crypto';
import type { Random } from '../../../src/platform/random.ts';
import { between, chance, pick } from './random-draws.ts';

/** Ways in which a receiver behaves. A `dead` receiver refuses connections. */
export const MOODS = [
  ...(['well', 'well', 'well', 'moody', 'slow', 'failing', 'busy', 'dead', 'silent'] as const),
];
export type Mood = (typeof MOODS)[number] | 'gone';

export interface ReceiverResponse {
  status: number;
  headers: [string, string][];
  delayMs: number;
}

/** A receiver that drops repeated ids and keeps its own ledger. */
export interface Receiver {
  endpointId: string;
  secret: string;
  mood: Mood;
  /** Ids that the receiver acknowledged with a 2xx. */
  accepted: Set<string>;
  /** Data in the last new delivery that the receiver stored, by company. */
  stored: Map<string, Record<string, unknown>>;
  /** Handles a request. Null means that there is no response. */
  receive(headers: ReadonlyMap<string, string>, body: string): ReceiverResponse | null;
}

/** Creates a receiver that reports every violation of the webhook guarantees that it observes. */
export function createReceiver(
  { endpointId, secret }: { endpointId: string; secret: string },
  random: Random,
  report: (violation: string) => void,
  onNewId: (receiver: Receiver, symbol: string, data: Record<string, unknown>) => void,
): Receiver {
  const bodies = new Map<string, string>();
  const receiver: Receiver = {
    endpointId,
    secret,
    mood: 'well',
    accepted: new Set(),
    stored: new Map(),
    receive(headers, body) {
      checkSignature(headers, body);
      const message = JSON.parse(body) as Message;
      const { id } = message;
      if (headers.get('x-service-delivery-id') !== id) report(`header and body of ${id} differ`);
      const earlierBody = bodies.get(id);
      if (earlierBody !== undefined && earlierBody !== body)
        report(`${id} arrived with a different body`);
      const reaction = react(receiver.mood, random);
      const isStored = reaction.stores && earlierBody === undefined;
      if (isStored) store(message, body);
      const { response } = reaction;
      if (response !== null && response.status < 300) receiver.accepted.add(id);
      return response;
    },
  };

  function store({ id, context: { symbol }, data }: Message, body: string): void {
    bodies.set(id, body);
    onNewId(receiver, symbol, data);
    receiver.stored.set(symbol, data);
  }

  function checkSignature(headers: ReadonlyMap<string, string>, body: string): void {
    const timestamp = headers.get('x-service-timestamp') ?? '';
    const mac = createHmac('sha256', secret)
      .update(timestamp + body)
      .digest('hex');
    if (headers.get('x-service-signature') !== `sha256=${mac}`) {
      report(`a signature at ${endpointId} is invalid`);
    }
  }

  return receiver;
}

interface Message {
  id: string;
  context: { symbol: string };
  data: Record<string, unknown>;
}

interface Reaction {
  stores: boolean;
  response: ReceiverResponse | null;
}

function react(mood: Mood, random: Random): Reaction {
  const soon = between(random, 1, 200);
  const respond = (status: number, stores: boolean, delayMs = soon): Reaction => ({
    stores,
    response: { status, headers: [], delayMs },
  });
  switch (mood) {
    case 'well':
      return respond(pick(random, [200, 200, 202, 204]), true);
    case 'slow':
      // The response may arrive after the sender's timeout.
      return respond(200, true, between(random, 1_000, 18_000));
    case 'failing':
      return respond(pick(random, [500, 503, 404, 301]), false);
    case 'busy':
      return {
        stores: false,
        response: {
          status: pick(random, [429, 503]),
          headers: [['Retry-After', String(between(random, 1, 5_000))]],
          delayMs: soon,
        },
      };
    case 'gone':
      return respond(410, false);
    case 'silent':
      return { stores: chance(random, 0.5), response: null };
    case 'moody':
      return chance(random, 0.5)
        ? respond(200, true)
        : pick(random, [
            respond(500, true),
            respond(502, true),
            respond(500, false),
            { stores: true, response: null },
          ]);
    case 'dead':
      return { stores: false, response: null };
  }
}
