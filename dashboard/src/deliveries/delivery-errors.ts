import type { DeliveryAttempt } from '../api/calls.gen.ts';

/** The description of a delivery error. */
export interface ErrorDescription {
  /** A short label for lists. */
  name: string;
  explanation: string;
  help: string;
}

const ERRORS: Readonly<Record<string, ErrorDescription>> = {
  redirect: {
    name: 'redirect',
    explanation: 'The endpoint responded with a redirect. Redirects are not followed.',
    help: 'Change the endpoint URL to the redirect target. Often only a trailing slash differs.',
  },
  gone: {
    name: 'gone',
    explanation: 'The endpoint responded with 410 Gone, so it was disabled.',
    help: 'Enable the endpoint if this was a mistake. Respond with 503 during an outage.',
  },
  http_4xx: {
    name: 'rejected',
    explanation: 'The endpoint rejected the request with a 4xx status.',
    help: '401 or 403 usually means that the signature check uses another secret or a modified body: try the Verify tab. 404 usually means a wrong path. 429 slows sending down; Retry-After is respected.',
  },
  http_5xx: {
    name: 'server error',
    explanation: 'The endpoint responded with a 5xx status.',
    help: 'Check your server’s logs at this time. The response below may say more.',
  },
  dns: {
    name: 'DNS error',
    explanation: 'The host name in the URL could not be resolved.',
    help: 'Check the spelling of the host name and its A or AAAA record.',
  },
  connect: {
    name: 'connection failed',
    explanation: 'The connection was refused or timed out.',
    help: 'Check that your server is running and that your firewall allows port 443.',
  },
  reset: {
    name: 'connection reset',
    explanation: 'The connection was closed before a complete response.',
    help: 'Your server or a proxy closes connections early, or the response is not valid HTTP/1.1.',
  },
  tls: {
    name: 'TLS error',
    explanation: 'The TLS handshake failed.',
    help: 'Check that the certificate is valid, covers this host name and includes its chain.',
  },
  timeout: {
    name: 'timeout',
    explanation: 'There was no complete response within 15 seconds.',
    help: 'Respond with 2xx as soon as you have stored the data, and process it asynchronously.',
  },
  blocked_address: {
    name: 'address blocked',
    explanation:
      'The host name resolves to a private, local or reserved address. No connection was made.',
    help: 'Webhooks are only sent to public addresses. Point the host name at one.',
  },
  unknown: {
    name: 'interrupted',
    explanation: 'The service stopped while sending. The endpoint may have received the request.',
    help: 'No action needed. It is sent again with the same ID, so you can ignore the duplicate.',
  },
  no_change: {
    name: 'no changes',
    explanation: 'Before it was sent, the data changed back to what you already have.',
    help: 'No action needed.',
  },
  cancelled: {
    name: 'cancelled',
    explanation: 'The subscription, the endpoint or the data was removed before it was sent.',
    help: 'Subscribe again to receive updates for this company.',
  },
};

/** Describes an error code. Unknown codes are shown unchanged. */
export function describeError(code: string): ErrorDescription {
  return ERRORS[code] ?? { name: code, explanation: `The attempt failed: ${code}.`, help: '' };
}

/** Returns an attempt's error code, or null if the attempt succeeded or is in progress. */
export function attemptError({ state, errorCode, responseStatus }: DeliveryAttempt): string | null {
  if (state === 'unknown') return 'unknown';
  if (errorCode !== null || responseStatus === null) return errorCode;
  // Older attempts have a response status but no error code.
  if (responseStatus >= 200 && responseStatus <= 299) return null;
  if (responseStatus < 400) return 'redirect';
  return responseStatus < 500 ? 'http_4xx' : 'http_5xx';
}
