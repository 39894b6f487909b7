/** The reason an attempt failed, as shown to customers. */
export type FailureCode =
  | 'redirect'
  | 'gone'
  | 'http_4xx'
  | 'http_5xx'
  | 'dns'
  | 'connect'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'blocked_address';

/** The response status of an attempt, or the reason there was no response. */
export type AttemptResponse = { status: number } | { code: FailureCode };

export type AttemptOutcome =
  | { kind: 'delivered' }
  /** A 410 response: the endpoint no longer exists, so nothing more is sent to it. */
  | { kind: 'gone'; code: 'gone' }
  | { kind: 'retry'; code: FailureCode };

/**
 * Classifies an attempt. Only 2xx counts as delivered, and every other result except 410 is
 * retried.
 */
export function classifyAttempt(response: AttemptResponse): AttemptOutcome {
  if ('code' in response) return { kind: 'retry', code: response.code };
  const { status } = response;
  if (status >= 200 && status <= 299) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', code: 'gone' };
  if (status >= 400 && status <= 499) return { kind: 'retry', code: 'http_4xx' };
  return { kind: 'retry', code: status < 400 ? 'redirect' : 'http_5xx' };
}
