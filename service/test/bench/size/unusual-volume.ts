import { endpoint } from '../../../src/endpoints/unusual-volume.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Values } from '../../../src/endpoints/endpoint.ts';
import type { Bench } from '../bench.ts';
import { NOW, SYMBOLS } from './size.ts';
import { sizedStore } from './sized-store.ts';

const SECONDS_MAX = 2;
const ROUNDS = 7;

/**
 * Measures unusual volume for one trading day, from the bars in PostgreSQL to the response body,
 * without a cache. In the first round the database server's own cache is as ingestion left it.
 */
export const bench: Bench = {
  name: 'unusual-volume at size',
  target: `≤ ${SECONDS_MAX} s for one trading day on PostgreSQL`,
  async run() {
    const store = await sizedStore();
    if ('missing' in store) return { passed: true, figures: { postgres: store.missing } };
    const clock = systemClock();
    const seconds: number[] = [];
    let listed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const beganMs = clock.monotonicMs();
      const response = await endpoint.handle(noValues, { db: store.db, now: NOW });
      seconds.push((clock.monotonicMs() - beganMs) / 1000);
      const { up, down } = bodyOf(response);
      listed = up.length + down.length;
    }
    const longest = Math.max(...seconds);
    return {
      passed: longest <= SECONDS_MAX && listed > 0,
      figures: {
        symbols: SYMBOLS,
        bars: store.bars,
        listed,
        firstSeconds: (seconds[0] ?? 0).toFixed(2),
        medianSeconds: (seconds.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0).toFixed(2),
        longestSeconds: longest.toFixed(2),
      },
    };
  },
};

function bodyOf(response: unknown): { up: unknown[]; down: unknown[] } {
  return (response as { body: { up: unknown[]; down: unknown[] } }).body;
}

function refuse(): never {
  throw new Error('this endpoint has no parameters');
}

const noValues: Values = {
  date: refuse,
  maybeDate: refuse,
  symbol: refuse,
  symbols: refuse,
  instant: refuse,
  id: refuse,
  flag: refuse,
  maybeFlag: refuse,
  text: refuse,
  choice: refuse,
  integer: refuse,
  decimal: refuse,
};
