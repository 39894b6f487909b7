import type { WebhookEndpoint } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/status-badge.tsx';

export interface EndpointStatus {
  tone: Tone;
  /** The label of the status. */
  text: string;
  /** An explanation and how to fix the problem, or null for a healthy endpoint. */
  means: string | null;
}

const DISABLED: Readonly<Record<NonNullable<WebhookEndpoint['disabledReason']>, string>> = {
  owner: 'This endpoint was disabled manually. Deliveries are paused until you enable it.',
  operator:
    'This endpoint was disabled by an operator, and only an operator can enable it. Deliveries are paused.',
  failing:
    'This endpoint was disabled after five days of failures. Fix your endpoint, then enable it. Paused deliveries are sent with current data.',
  gone: 'This endpoint was disabled because it responded with 410 Gone. Enable it if this was a mistake.',
};

/** Returns the status of an endpoint. If several statuses apply, returns the most severe one. */
export function endpointStatus(endpoint: WebhookEndpoint): EndpointStatus {
  const { state, disabledReason, failingSince, failureCount } = endpoint;
  if (state === 'disabled') {
    const isByOwner = disabledReason === 'owner' || disabledReason === null;
    return {
      tone: isByOwner ? 'plain' : 'bad',
      text: 'disabled',
      means: DISABLED[disabledReason ?? 'owner'],
    };
  }
  if (failingSince !== null) {
    const failureText =
      failureCount === 1 ? 'The last attempt failed.' : `The last ${failureCount} attempts failed.`;
    return {
      tone: failureCount >= 4 ? 'bad' : 'warn',
      text: 'failing',
      means: `${failureText} Deliveries are retried automatically.`,
    };
  }
  if (endpoint.subscriptionCount === 0) {
    return {
      tone: 'warn',
      text: 'no subscriptions',
      means:
        'This endpoint has no subscriptions, so nothing is sent to it. An empty list doesn’t mean all companies.',
    };
  }
  if (endpoint.lastSuccessAt === null) {
    return {
      tone: 'plain',
      text: 'no deliveries yet',
      means: 'Nothing has been delivered yet. Send a test to check your endpoint.',
    };
  }
  return { tone: 'good', text: 'healthy', means: null };
}
