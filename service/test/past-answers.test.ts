import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settleVersions } from '../src/datasets/versions/version-clock.ts';
import { createIngest } from '../src/ingest/ingest.ts';
import { fakeClock } from './support/fake-clock.ts';
import { providers } from '../src/providers/registry.gen.ts';
import type { Db } from '../src/storage/db.ts';
import { directWrite, writeDirectly } from './support/direct-writes.ts';
import { onEachEngine } from './support/each-engine.ts';
import { responsesOf, worldShape } from './support/generated-world.ts';
import {
  queryAsOf,
  HISTORICAL_QUERIES,
  type HistoricalQuery,
  NOT_KNOWN_YET,
  withoutUnversioned,
} from './support/historical-queries.ts';
import { emptyStore } from './support/stores.ts';

/** Time at which all observations are over and writing begins. */
const BEGIN = Date.parse('2026-06-01T12:00:00Z');
const SEED = 20261120;
const RUNS = 3;

/**
 * Events in a store: source responses are ingested, shuffled and repeated; rows are written; a
 * client requests the present or the past; some or no milliseconds pass. Events in one step are
 * concurrent.
 */
const step = fc.record(
  {
    answer: fc.nat(),
    write: directWrite,
    asks: fc.array(fc.record({ question: fc.nat(), backMs: fc.nat({ max: 40 }) }), {
      maxLength: 2,
    }),
    waitMs: fc.constantFrom(0, 0, 1, 7),
  },
  { requiredKeys: ['waitMs'] },
);

const DIVIDENDS: HistoricalQuery = {
  endpoint: 'calendar-dividends',
  parameters: { from: '2026-01-01', to: '2026-12-31' },
};

interface Given {
  question: HistoricalQuery;
  asOf: number;
  text: string;
}

onEachEngine((db) => {
  test('returns the same bytes when a historical request is repeated later', async () => {
    await holds(fc.array(step, { minLength: 5, maxLength: 9 }), async (shape, steps) => {
      const answers = responsesOf(shape);
      const { clock, ingest } = await freshWorld(db());
      const given: Given[] = [];
      for (const { answer, write, asks = [], waitMs } of steps) {
        const now = clock.now();
        const source = answer === undefined ? undefined : answers[answer % answers.length];
        const ask = async (question: HistoricalQuery, asOf: number): Promise<void> => {
          given.push({ question, asOf, text: await queryAsOf(db(), question, asOf, now) });
        };
        await Promise.all([
          source === undefined ? null : ingest(source),
          write === undefined ? null : writeDirectly(db(), write, now),
          // Runs in every step, so that other events write within the same millisecond as the
          // request.
          ask(DIVIDENDS, now),
          ...asks.map(({ question, backMs }) => ask(questionOf(question), now - backMs)),
        ]);
        await clock.advance(waitMs);
      }
      for (const { question, asOf, text } of given) {
        expect(await queryAsOf(db(), question, asOf, clock.now())).toBe(text);
      }
    });
  });

  test('returns for a past instant what was served at that instant, except values without a history', async () => {
    await holds(fc.array(step, { minLength: 3, maxLength: 6 }), async (shape, steps) => {
      const answers = responsesOf(shape);
      const { clock, ingest } = await freshWorld(db());
      const given: Given[] = [];
      for (const { answer, write, asks = [] } of steps) {
        const source = answer === undefined ? undefined : answers[answer % answers.length];
        if (source !== undefined) await ingest(source);
        if (write !== undefined) await writeDirectly(db(), write, clock.now());
        await clock.advance(2);
        for (const { question: number } of asks) {
          const question = questionOf(number);
          const asOf = clock.now();
          const isEmpty = (await settleVersions(db(), asOf)) === null;
          const current = await queryAsOf(db(), question, null, asOf);
          given.push({ question, asOf, text: isEmpty ? NOT_KNOWN_YET : current });
        }
        await clock.advance(1);
      }
      for (const { question, asOf, text } of given) {
        const past = await queryAsOf(db(), question, asOf, clock.now());
        expect(withoutUnversioned(past)).toEqual(withoutUnversioned(text));
      }
    });
  });
});

async function holds<Steps>(
  steps: fc.Arbitrary<Steps>,
  property: (shape: Parameters<typeof responsesOf>[0], steps: Steps) => Promise<void>,
): Promise<void> {
  const runs = fc.asyncProperty(worldShape, steps, property);
  await fc.assert(runs, { seed: SEED, numRuns: RUNS, endOnFailure: true });
}

async function freshWorld(db: Db) {
  await emptyStore(db);
  const clock = fakeClock(BEGIN);
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  return { clock, ingest };
}

function questionOf(number: number): HistoricalQuery {
  const question = HISTORICAL_QUERIES[number % HISTORICAL_QUERIES.length];
  if (question === undefined) throw new Error('no question');
  return question;
}
