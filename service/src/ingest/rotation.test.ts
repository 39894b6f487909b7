import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedRequest } from '../providers/provider.ts';
import { selectRotation } from './rotation.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 20, 8, 40);

function requestFor(n: number): FeedRequest {
  return { url: `https://source.example/${n}?page=1`, headers: {} };
}

describe('a rotation', () => {
  it('makes every request once within the period while companies come, go and nights fail', () => {
    const change = fc.record({
      added: fc.integer({ min: 0, max: 4 }),
      removed: fc.integer({ min: 0, max: 4 }),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 90, maxLength: 90 }), (nights) => {
        let listed = Array.from({ length: 200 }, (_, n) => n);
        let next = listed.length;
        const lastAt = new Map(listed.map((n) => [n, START]));
        const respondedAt = new Map<string, number>();
        let failures = 0;
        for (const [night, { added, removed, fails }] of nights.entries()) {
          const now = START + night * DAY_MS;
          listed = listed.slice(removed);
          for (let i = 0; i < added; i++) {
            listed.push(next);
            lastAt.set(next++, now);
          }
          // Two nights in a period may fail.
          if (fails && failures < 2 && night % 14 === 0) {
            failures++;
            continue;
          }
          if (night % 28 === 27) failures = 0;
          const requests = listed.map(requestFor);
          for (const { url } of selectRotation(requests, { days: 28, now, respondedAt })) {
            respondedAt.set(url, now);
            lastAt.set(Number(new URL(url).pathname.slice(1)), now);
          }
          const oldest = Math.min(...listed.map((n) => lastAt.get(n) ?? 0));
          expect(now - oldest).toBeLessThanOrEqual(28 * DAY_MS);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('continues an interrupted night where it stopped, and requests new companies first', () => {
    const requests = Array.from({ length: 240 }, (_, n) => requestFor(n));
    const made = requests.slice(0, 6).map(({ url }) => [url, START] as const);
    const rotation = { days: 28, now: START + 3_600_000, respondedAt: new Map(made) };
    // A night's share is 10.
    expect(selectRotation(requests, rotation)).toEqual(requests.slice(6, 10));
    const old = requests
      .slice(1)
      .map(({ url }, n) => [url, START - (1 + n / 10) * DAY_MS] as const);
    const first = selectRotation(requests, { ...rotation, respondedAt: new Map(old) })[0];
    expect(first).toEqual(requests[0]);
  });

  it('doubles the share after an outage, until nothing is overdue', () => {
    const requests = Array.from({ length: 240 }, (_, n) => requestFor(n));
    const respondedAt = new Map(requests.map(({ url }) => [url, START - 26 * DAY_MS]));
    expect(selectRotation(requests, { days: 28, now: START, respondedAt })).toHaveLength(20);
  });
});
