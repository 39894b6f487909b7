import type { Random } from '../../../src/platform/random.ts';
import { targetFaults } from './target-faults.ts';
import { callBodyFaults } from './call-body-faults.ts';
import { type MalformedRequest, randomInput, type RequestFactory } from './random-input.ts';
import { framingFaults } from './framing-faults.ts';
import { requestLineFaults } from './request-line-faults.ts';

const KINDS: readonly (readonly [string, RequestFactory])[] = Object.entries({
  ...framingFaults,
  ...requestLineFaults,
  ...targetFaults,
  ...callBodyFaults,
});
const TOGETHER_MAX = 24;
/** Bodies above their limit can be up to a megabyte, so they are generated rarely. */
const SELDOM = new Set(['a body above the limit', 'deeply nested JSON', 'too many headers']);
const SELDOM_ONE_IN = 8;

/** Closes the connection if it is still open. */
const FINAL_REQUEST: MalformedRequest = {
  kind: 'the final request',
  bytes: 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  method: 'GET',
  codes: ['not-found'],
  closes: true,
  halfClose: false,
};

export const MALFORMED_KINDS: readonly string[] = KINDS.map(([kind]) => kind);

/**
 * Generates malformed requests for one connection: some that keep it open, then one that usually
 * closes it.
 */
export function malformedRequests(random: Random, key: string): () => MalformedRequest[] {
  const input = randomInput(random, key);

  function nextRequest(): MalformedRequest {
    for (;;) {
      const [kind, make] = input.pick(KINDS);
      if (SELDOM.has(kind) && input.int(SELDOM_ONE_IN) > 0) continue;
      const request = make(input);
      const method = /^[A-Z-]+/.exec(request.bytes)?.[0] ?? '';
      return {
        kind,
        method,
        closes: false,
        halfClose: false,
        ...request,
      };
    }
  }

  return () => {
    const open: MalformedRequest[] = [];
    let closing: MalformedRequest | null = null;
    const count = input.int(TOGETHER_MAX);
    while (closing === null || open.length < count) {
      const next = nextRequest();
      if (!next.closes) open.push(next);
      else closing ??= next;
    }
    // After a half-close, pending responses are lost, so such a request is sent alone.
    return closing.halfClose ? [closing] : [...open, closing, FINAL_REQUEST];
  };
}
