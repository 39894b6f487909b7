import type { Delivery } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/mark.tsx';

export type DeliveryState = Delivery['state'];

interface StateWords {
  tone: Tone;
  /** In a word or two. */
  text: string;
  /** What it means, in a sentence. */
  means: string;
}

export const DELIVERY_STATES: Readonly<Record<DeliveryState, StateWords>> = {
  pending: { tone: 'plain', text: 'waiting', means: 'It waits for its turn.' },
  in_progress: { tone: 'plain', text: 'being sent', means: 'An attempt is under way.' },
  retrying: {
    tone: 'warn',
    text: 'will be tried again',
    means: 'The last attempt was not answered 2xx. It is sent again by itself.',
  },
  held: {
    tone: 'plain',
    text: 'held',
    means: 'The endpoint is disabled. It goes out with the data of the moment it is enabled.',
  },
  delivered: { tone: 'good', text: 'delivered', means: 'The receiver answered 2xx.' },
  failed: {
    tone: 'bad',
    text: 'failed',
    means: 'It was given up and is not sent again by itself.',
  },
  superseded: {
    tone: 'plain',
    text: 'superseded',
    means: 'Newer data came before it was answered 2xx. A newer delivery tells them.',
  },
  cancelled: {
    tone: 'plain',
    text: 'cancelled',
    means: 'It was not sent: there was nothing left to tell, or nobody to tell it to.',
  },
};

export const STATE_CHOICES = Object.entries(DELIVERY_STATES).map(([value, { text }]) => ({
  value,
  label: text,
}));

export function isDeliveryState(value: unknown): value is DeliveryState {
  return typeof value === 'string' && value in DELIVERY_STATES;
}

/** Whether anything about it can still change by itself. */
export function isOpen(state: DeliveryState): boolean {
  return state === 'pending' || state === 'in_progress' || state === 'retrying' || state === 'held';
}
