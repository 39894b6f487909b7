import type { WebhookEndpoint } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/mark.tsx';

export interface Standing {
  tone: Tone;
  /** In a word or two. */
  text: string;
  /** What it means and what can be done, in a sentence or two; null when all is well. */
  means: string | null;
}

const DISABLED: Readonly<Record<NonNullable<WebhookEndpoint['disabledReason']>, string>> = {
  owner: 'It was disabled by hand. Deliveries are held until it is enabled.',
  operator: 'An operator disabled it, and only an operator can enable it. Deliveries are held.',
  failing:
    'It did not answer 2xx for five days and was disabled. Mend the receiver, then enable it: what was held goes out with the data of then.',
  gone: 'It answered 410, which says that nobody is there any more, and was disabled. Enable it if that was a mistake.',
};

/** How an endpoint stands, the worst first. */
export function standingOf(endpoint: WebhookEndpoint): Standing {
  const { state, disabledReason, failingSince, failureCount } = endpoint;
  if (state === 'disabled') {
    const isOwn = disabledReason === 'owner' || disabledReason === null;
    return {
      tone: isOwn ? 'plain' : 'bad',
      text: 'disabled',
      means: DISABLED[disabledReason ?? 'owner'],
    };
  }
  if (failingSince !== null) {
    const what =
      failureCount === 1
        ? 'The last attempt was not answered 2xx.'
        : `${failureCount} attempts in a row were not answered 2xx.`;
    return {
      tone: failureCount >= 4 ? 'bad' : 'warn',
      text: 'failing',
      means: `${what} What waits is sent again by itself.`,
    };
  }
  if (endpoint.subscriptionCount === 0) {
    return {
      tone: 'warn',
      text: 'told of nothing',
      means:
        'It has no subscriptions, so nothing is sent to it. An empty list does not mean everything.',
    };
  }
  if (endpoint.lastSuccessAt === null) {
    return {
      tone: 'plain',
      text: 'not reached yet',
      means: 'It has answered nothing yet. Send a test to see whether it does.',
    };
  }
  return { tone: 'good', text: 'well', means: null };
}
