import { createHmac } from 'node:crypto';
import type { Random } from '../../../src/platform/random.ts';
import { between, chance, pick } from './draws.ts';

/** Behaviours of a receiver. `dead` refuses connections. */
export const MOODS = [
  ...(['well', 'well', 'well', 'moody', 'slow', 'failing', 'busy', 'dead', 'silent'] as const),
];
export type Mood = (typeof MOODS)[number] | 'gone';

export interface ReceiverAnswer {
  status: number;
  headers: [string, string][];
  delayMs: number;
}

/** A receiver that drops repeated ids and keeps its own ledger. */
export interface Receiver {
  endpointId: string;
  secret: string;
  mood: Mood;
  /** Ids that it acknowledged with 2xx. */
  accepted: Set<string>;
  /** Data of the last new id that it stored, by company. */
  held: Map<string, Record<string, unknown>>;
  /** Null: no response. */
  take(headers: ReadonlyMap<string, string>, body: string): ReceiverAnswer | null;
}

/** Reports everything that a receiver must never see. */
export function createReceiver(
  { endpointId, secret }: { endpointId: string; secret: string },
  random: Random,
  report: (wrong: string) => void,
  onFirst: (receiver: Receiver, symbol: string, data: Record<string, unknown>) => void,
): Receiver {
  const bodies = new Map<string, string>();
  const receiver: Receiver = {
    endpointId,
    secret,
    mood: 'well',
    accepted: new Set(),
    held: new Map(),
    take(headers, body) {
      checkSignature(headers, body);
      const message = JSON.parse(body) as Message;
      const { id } = message;
      if (headers.get('x-service-delivery-id') !== id) report(`header and body of ${id} differ`);
      const known = bodies.get(id);
      if (known !== undefined && known !== body) report(`${id} came with another body`);
      const reaction = react(receiver.mood, random);
      const isStored = reaction.stores && known === undefined;
      if (isStored) store(message, body);
      const { answer } = reaction;
      if (answer !== null && answer.status < 300) receiver.accepted.add(id);
      return answer;
    },
  };

  function store({ id, context: { symbol }, data }: Message, body: string): void {
    bodies.set(id, body);
    onFirst(receiver, symbol, data);
    receiver.held.set(symbol, data);
  }

  function checkSignature(headers: ReadonlyMap<string, string>, body: string): void {
    const timestamp = headers.get('x-service-timestamp') ?? '';
    const mac = createHmac('sha256', secret)
      .update(timestamp + body)
      .digest('hex');
    if (headers.get('x-service-signature') !== `sha256=${mac}`) {
      report(`a signature at ${endpointId} does not verify`);
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
  answer: ReceiverAnswer | null;
}

function react(mood: Mood, random: Random): Reaction {
  const soon = between(random, 1, 200);
  const say = (status: number, stores: boolean, delayMs = soon): Reaction => ({
    stores,
    answer: { status, headers: [], delayMs },
  });
  switch (mood) {
    case 'well':
      return say(pick(random, [200, 200, 202, 204]), true);
    case 'slow':
      // Sometimes later than the sender's timeout.
      return say(200, true, between(random, 1_000, 18_000));
    case 'failing':
      return say(pick(random, [500, 503, 404, 301]), false);
    case 'busy':
      return {
        stores: false,
        answer: {
          status: pick(random, [429, 503]),
          headers: [['Retry-After', String(between(random, 1, 5_000))]],
          delayMs: soon,
        },
      };
    case 'gone':
      return say(410, false);
    case 'silent':
      return { stores: chance(random, 0.5), answer: null };
    case 'moody':
      return chance(random, 0.5)
        ? say(200, true)
        : pick(random, [
            say(500, true),
            say(502, true),
            say(500, false),
            { stores: true, answer: null },
          ]);
    case 'dead':
      return { stores: false, answer: null };
  }
}
