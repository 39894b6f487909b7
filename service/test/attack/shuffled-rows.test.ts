import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { createIngest, type Ingest } from '../../src/ingest/ingest.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import type { Db } from '../../src/storage/db.ts';
import { parameterValues } from '../support/parameter-values.ts';
import {
  companyOf,
  type UnorderedResponse,
  REVISED_DAYS,
  revisedWorld,
} from '../support/revised-world.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { currentState } from '../support/store-state.ts';
import { emptyStore, memoryStore } from '../support/stores.ts';

vi.setConfig({ testTimeout: runSize({ slice: 240_000, whole: 14_400_000 }) });

const SEED = runSeed();
/** Total number of ingested rows, including repetitions and both passes over every order. */
const ROWS = runSize({ slice: 800, whole: 1_000_000 });
const SIZE =
  ROWS < 100_000
    ? { companies: 14, rounds: 3, sessions: 2 }
    : { companies: 600, rounds: 5, sessions: 24 };
const NOW = Date.parse('2026-11-20T15:00:00Z');

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());

test(`reaches the same state and serves the same bytes for ${ROWS} rows in any order, each sent one to five times (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const world = revisedWorld(random, SIZE);
  const expected = await ingestAll(world, random, false);
  expect(expected.bars).toBeGreaterThanOrEqual(SIZE.companies * SIZE.sessions);
  const replay = await ingestAgain(world, random);
  let rows = expected.rows + replay.rows;
  let orders = 1;
  console.log(`${rows} rows in order, and again with the oldest last`);
  for (; rows < ROWS || orders < 3; orders += 1) {
    const result = await ingestAll(shuffled(random, repeated(random, world)), random, true);
    rows += result.rows;
    expect(result.served, `order ${orders}`).toEqual(expected.served);
    expect(result.state, `order ${orders}`).toEqual(expected.state);
    console.log(`${rows} rows in ${orders + 1} orders`);
  }
});

/**
 * Ingests everything again, oldest last. Since nothing is new, the service must write no version
 * and enqueue no notification.
 */
async function ingestAgain(
  world: readonly UnorderedResponse[],
  random: Random,
): Promise<{ rows: number }> {
  const before = { state: await stateHashes(), written: await writeCounts() };
  const ingest = openIngest();
  let rows = 0;
  for (const response of world.toReversed())
    rows += await ingestRows(ingest, response, random, true);
  expect({ state: await stateHashes(), written: await writeCounts() }).toEqual(before);
  return { rows };
}

async function ingestAll(world: readonly UnorderedResponse[], random: Random, isMixed: boolean) {
  await emptyStore(db);
  const ingest = openIngest();
  let rows = 0;
  for (const response of world) rows += await ingestRows(ingest, response, random, isMixed);
  const [bars] = await db.query<{ count: number }>('select count(*)::int4 as count from price_bar');
  return { rows, bars: bars?.count, state: await stateHashes(), served: await servedHash() };
}

function openIngest(): Ingest {
  return createIngest({ db, clock: fakeClock(NOW), providers, onCommit: () => undefined });
}

async function ingestRows(
  ingest: Ingest,
  response: UnorderedResponse,
  random: Random,
  isMixed: boolean,
): Promise<number> {
  const rows = isMixed ? shuffled(random, response.rows) : response.rows;
  const report = await ingest(response.ordered(rows));
  expect(report.datasets.map(({ outcome }) => outcome)).not.toContain('rejected');
  return rows.length;
}

/** Returns the current state as one hash per part, because the full state would fill the screen. */
async function stateHashes(): Promise<Record<string, string>> {
  // Excludes the response archive, whose raw bodies contain the rows in a different order.
  const { answers: _answers, ...parts } = await currentState(db);
  // Loads all current bars without the id of their latest response.
  const bars = await db.query<{ row: string }>(
    `select (to_jsonb(b) - 'answer_id')::text as row from price_bar b
      order by symbol, date, provider, feed`,
  );
  const all = { ...parts, bars: bars.map(({ row }) => row) };
  return Object.fromEntries(
    Object.entries(all).map(([name, rows]) => [name, `${rows.length} ${hashOf(rows.join('\n'))}`]),
  );
}

/** Returns the number of versions and changes written so far. */
async function writeCounts(): Promise<unknown> {
  return db.query(
    `select (select count(*) from change_record) as changes,
            (select count(*) from earnings_event) as events,
            (select count(*) from profile) as profiles,
            (select count(*) from security_version) as securities`,
  );
}

async function servedHash(): Promise<string> {
  const symbols = Array.from({ length: SIZE.companies }, (_, number) => companyOf(number));
  const bodies: unknown[] = [];
  for (const endpoint of endpoints) {
    const keys =
      endpoint.name === 'calendar-earnings'
        ? REVISED_DAYS
        : ['earnings', 'profile'].includes(endpoint.name)
          ? symbols
          : [];
    for (const key of keys) {
      const values = parameterValues({ date: key, symbol: key });
      bodies.push(await endpoint.handle(values, { db, now: NOW }));
    }
  }
  expect(bodies.length).toBe(2 * SIZE.companies + REVISED_DAYS.length);
  return hashOf(JSON.stringify(bodies));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function repeated<T>(random: Random, list: readonly T[]): T[] {
  return list.flatMap((item) => Array.from({ length: 1 + random.int(5) }, () => item));
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, sortKey: random.float() }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ item }) => item);
}
