import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import { createIngest } from '../src/ingest/ingest.ts';
import { fakeClock } from './support/fake-clock.ts';
import { providers } from '../src/providers/registry.gen.ts';
import type { SourceResponse } from '../src/providers/provider.ts';
import type { Db } from '../src/storage/db.ts';
import { responsesOf, worldShape } from './support/generated-world.ts';
import { currentState } from './support/store-state.ts';
import { emptyStore, memoryStore, postgresStore } from './support/stores.ts';
import { parameterValues } from './support/parameter-values.ts';

/** Time after all observations. */
const NOW = Date.parse('2026-06-01T12:00:00Z');
const SYMBOLS = ['NRTH', 'NRTHL', 'OLDC', 'NEWC', 'BLUE'];
/** Between the responses about a report, before its filing, and after all observations. */
const PUBLIC_AT = ['2026-01-29T00:00:00Z', '2026-02-10T21:04:59Z', '2026-03-20T00:00:00Z'].map(
  (text) => Date.parse(text),
);
const SEED = 20261120;

let memory: Db;
beforeAll(async () => {
  memory = await memoryStore();
});
afterAll(() => memory.close());

test('reaches the same state and serves the same bytes for responses in any order, even if repeated', async () => {
  await holds(memory, 6);
});

const postgres = await postgresStore();
const missing = 'missing' in postgres ? postgres.missing : '';
test.skipIf('missing' in postgres)(
  `reaches the same state on PostgreSQL for responses in any order ${missing}`,
  async () => {
    if ('missing' in postgres) return;
    await holds(postgres.db, 2);
    await postgres.db.close();
  },
);

async function holds(db: Db, numRuns: number): Promise<void> {
  const runs = fc.asyncProperty(
    worldShape,
    fc.infiniteStream(fc.nat()),
    fc.infiniteStream(fc.boolean()),
    async (shape, noise, coin) => {
      const answers = responsesOf(shape);
      const expected = await resultOf(db, answers);
      const repeated = answers.flatMap((answer) =>
        coin.next().value ? [answer, answer] : [answer],
      );
      const shuffled = repeated
        .map((answer) => ({ answer, key: noise.next().value }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ answer }) => answer);
      expect(await resultOf(db, shuffled)).toEqual(expected);
    },
  );
  await fc.assert(runs, { seed: SEED, numRuns, endOnFailure: true });
}

/** Ingests these source responses. Returns the current state and the API responses. */
async function resultOf(db: Db, answers: readonly SourceResponse[]): Promise<unknown> {
  await emptyStore(db);
  const clock = fakeClock(NOW);
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  for (const answer of answers) {
    await ingest(answer);
    await clock.advance(1_000);
  }
  return { state: await currentState(db), served: await servedBy(db) };
}

/**
 * Returns the bodies from endpoints that read data, for every symbol and day in the world: current
 * data, and what was public at some instants.
 */
async function servedBy(db: Db): Promise<string[]> {
  const days = ['2026-02-10', '2026-02-11', '2026-02-12', '2026-05-12'];
  const points = [{}, ...PUBLIC_AT.map((asOf) => ({ asOf, known: 'public' }))];
  const questions = endpoints.flatMap((endpoint) =>
    ['earnings', 'profile', 'calendar-earnings'].includes(endpoint.name)
      ? (endpoint.name === 'calendar-earnings' ? days : SYMBOLS).flatMap((word) =>
          points.map((point) => ({ endpoint, parameters: { date: word, symbol: word, ...point } })),
        )
      : [],
  );
  return Promise.all(
    questions.map(async ({ endpoint, parameters }) => {
      const values = parameterValues(parameters);
      return JSON.stringify(await endpoint.handle(values, { db, now: NOW }));
    }),
  );
}
