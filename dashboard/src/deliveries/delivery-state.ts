import type { Delivery } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/status-badge.tsx';

export type DeliveryState = Delivery['state'];

interface StateInfo {
  tone: Tone;
  /** The label of the state. */
  text: string;
  /** Explains the state in one or two sentences. */
  means: string;
}

export const DELIVERY_STATES: Readonly<Record<DeliveryState, StateInfo>> = {
  pending: { tone: 'plain', text: 'pending', means: 'Waiting for the first attempt.' },
  in_progress: { tone: 'plain', text: 'sending', means: 'An attempt is in progress.' },
  retrying: {
    tone: 'warn',
    text: 'retrying',
    means: 'The last attempt failed. It is retried automatically.',
  },
  held: {
    tone: 'plain',
    text: 'paused',
    means:
      'The endpoint is disabled. Paused deliveries are sent with current data when it is enabled.',
  },
  delivered: { tone: 'good', text: 'delivered', means: 'The endpoint responded with 2xx.' },
  failed: {
    tone: 'bad',
    text: 'failed',
    means: 'All attempts failed. It is not retried automatically.',
  },
  superseded: {
    tone: 'plain',
    text: 'superseded',
    means: 'The data changed before it was delivered. A newer delivery contains the changes.',
  },
  cancelled: {
    tone: 'plain',
    text: 'cancelled',
    means:
      'Not sent: there were no changes left to send, or the subscription or endpoint was removed.',
  },
};

export const STATE_CHOICES = Object.entries(DELIVERY_STATES).map(([value, { text }]) => ({
  value,
  label: text,
}));

export function isDeliveryState(value: unknown): value is DeliveryState {
  return typeof value === 'string' && value in DELIVERY_STATES;
}

/** Returns true if the state can still change without any user action. */
export function isOpen(state: DeliveryState): boolean {
  return state === 'pending' || state === 'in_progress' || state === 'retrying' || state === 'held';
}
