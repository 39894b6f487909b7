/** Why an attempt was not answered 2xx, as customers read it. */
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

/** What an attempt came to: the answer's status, or why there was none. */
export type AttemptResponse = { status: number } | { code: FailureCode };

export type AttemptOutcome =
  | { kind: 'delivered' }
  /** 410: nobody lives there any more, so that nothing is sent there again. */
  | { kind: 'gone'; code: 'gone' }
  | { kind: 'retry'; code: FailureCode };

/** Only 2xx means delivered; everything but 410 is tried again. */
export function classifyAttempt(response: AttemptResponse): AttemptOutcome {
  if ('code' in response) return { kind: 'retry', code: response.code };
  const { status } = response;
  if (status >= 200 && status <= 299) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone', code: 'gone' };
  if (status >= 400 && status <= 499) return { kind: 'retry', code: 'http_4xx' };
  return { kind: 'retry', code: status < 400 ? 'redirect' : 'http_5xx' };
}
