import type { DeliveryAttempt } from '../api/calls.gen.ts';

/** What went wrong with an attempt, and what helps. */
export interface ErrorWords {
  /** In two or three words, for lists. */
  name: string;
  why: string;
  help: string;
}

const WORDS: Readonly<Record<string, ErrorWords>> = {
  redirect: {
    name: 'redirect',
    why: 'The receiver answered with a redirect. Redirects are not followed.',
    help: 'Set the URL of the endpoint to where it leads, often with or without a slash at its end.',
  },
  gone: {
    name: 'gone',
    why: 'The receiver answered 410: nobody is there any more. The endpoint was disabled at once.',
    help: 'Enable the endpoint again if that was a mistake; answer 404 or 503 when you are away for a while.',
  },
  http_4xx: {
    name: 'refused',
    why: 'The receiver answered 4xx: it did not want the request.',
    help: '401 or 403 is mostly a signature check with another secret or a changed body: try the signature helper. 404 is mostly the path; 429 asks for slower sending, and its Retry-After is kept.',
  },
  http_5xx: {
    name: 'receiver failed',
    why: 'The receiver answered 5xx: something broke in it.',
    help: 'Look into the log of the receiver at this time. Its answer below may say more.',
  },
  dns: {
    name: 'name not found',
    why: 'No address was found behind the name in the URL.',
    help: 'Look whether the name is spelled right and has an A or AAAA record.',
  },
  connect: {
    name: 'no connection',
    why: 'Nobody took the connection.',
    help: 'Look whether the receiver runs, and whether a firewall lets port 443 through.',
  },
  reset: {
    name: 'cut off',
    why: 'The connection broke before there was a whole answer.',
    help: 'A proxy or the receiver closes connections early, or what it wrote is no HTTP/1.1.',
  },
  tls: {
    name: 'certificate',
    why: 'No safe connection could be agreed on.',
    help: 'Look whether the certificate is valid, names this host and comes with its chain.',
  },
  timeout: {
    name: 'too slow',
    why: 'There was no whole answer within 15 seconds.',
    help: 'Answer 2xx as soon as the data are stored, and do the work afterwards, from a queue of your own.',
  },
  blocked_address: {
    name: 'address not allowed',
    why: 'The name leads to a private, local or reserved address. No connection was made.',
    help: 'Webhooks go to public addresses alone: point the name at one.',
  },
  unknown: {
    name: 'cut off here',
    why: 'The service was stopped while it was sending. The receiver may have it.',
    help: 'Nothing to do: it is sent again with the same id, so that you can drop the repetition.',
  },
  no_change: {
    name: 'nothing to tell',
    why: 'Before it was sent the data were back at what you have.',
    help: 'Nothing to do.',
  },
  cancelled: {
    name: 'cancelled',
    why: 'The subscription, the endpoint or the data were gone when it was due.',
    help: 'Subscribe again if you want to be told of this company.',
  },
};

/** In plain words; a code that is not known here is shown as it is. */
export function errorWords(code: string): ErrorWords {
  return WORDS[code] ?? { name: code, why: `The attempt failed: ${code}.`, help: '' };
}

/** Why an attempt was no success; null when it was one, or is under way. */
export function failureOf({ state, errorCode, responseStatus }: DeliveryAttempt): string | null {
  if (state === 'unknown') return 'unknown';
  if (errorCode !== null || responseStatus === null) return errorCode;
  // Older records keep the status alone.
  if (responseStatus >= 200 && responseStatus <= 299) return null;
  if (responseStatus < 400) return 'redirect';
  return responseStatus < 500 ? 'http_4xx' : 'http_5xx';
}
