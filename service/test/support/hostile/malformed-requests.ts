import type { Random } from '../../../src/platform/random.ts';
import { addresses } from './target-faults.ts';
import { calls } from './call-body-faults.ts';
import { drawFrom, type Hostile, type Make } from './random-input.ts';
import { framing } from './framing-faults.ts';
import { lines } from './request-line-faults.ts';

const KINDS: readonly (readonly [string, Make])[] = Object.entries({
  ...framing,
  ...lines,
  ...addresses,
  ...calls,
});
const TOGETHER_MAX = 24;
/** Of a megabyte at most: bodies past their limit are large, so they come seldom. */
const SELDOM = new Set(['a body past its limit', 'JSON that is nested deep', 'headers too many']);
const SELDOM_ONE_IN = 8;

/** Ends a connection that is still open. */
const LAST: Hostile = {
  kind: 'the last one',
  bytes: 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  method: 'GET',
  codes: ['not-found'],
  closes: true,
  half: false,
};

export const MALFORMED_KINDS: readonly string[] = KINDS.map(([kind]) => kind);

/** Malformed requests for one connection: those that leave it open, and one that as a rule ends it. */
export function malformedRequests(random: Random, key: string): () => Hostile[] {
  const draw = drawFrom(random, key);

  function one(): Hostile {
    for (;;) {
      const [kind, make] = draw.pick(KINDS);
      if (SELDOM.has(kind) && draw.int(SELDOM_ONE_IN) > 0) continue;
      const made = make(draw);
      const method = /^[A-Z-]+/.exec(made.bytes)?.[0] ?? '';
      return {
        kind,
        method,
        closes: false,
        half: false,
        ...made,
      };
    }
  }

  return () => {
    const together: Hostile[] = [];
    let closing: Hostile | null = null;
    const wanted = draw.int(TOGETHER_MAX);
    while (closing === null || together.length < wanted) {
      const next = one();
      if (!next.closes) together.push(next);
      else closing ??= next;
    }
    // Who ends their side early forgoes the answers that are not there yet.
    return closing.half ? [closing] : [...together, closing, LAST];
  };
}
