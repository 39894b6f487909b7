import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeAt } from '../src/domain/market/market-day.ts';
import { newYorkDate } from '../src/domain/new-york.ts';
import { endpoints } from '../src/endpoints/registry.gen.ts';
import type { EndpointResponse } from '../src/endpoints/endpoint.ts';
import { createIngest } from '../src/ingest/ingest.ts';
import { seededRandom } from '../src/platform/random.ts';
import { providers } from '../src/providers/registry.gen.ts';
import type { Db } from '../src/storage/db.ts';
import { fakeClock } from './support/fake-clock.ts';
import { filedWorld } from './support/filed-world.ts';
import { parameterValues } from './support/parameter-values.ts';
import { barOf, ingestFileBars, market } from './support/stored-bars.ts';
import { memoryStore } from './support/stores.ts';

const SEED = 20261124;
const FETCHED_AT = Date.parse('2026-11-20T12:00:00Z');
const NOW = FETCHED_AT + 3_600_000;
const FROM = Date.parse('2009-01-01T00:00:00Z');
const TO = Date.parse('2015-01-01T00:00:00Z');
const INSTANTS = 500;

const world = filedWorld(seededRandom(SEED), {
  symbols: ['NRTH', 'BLUE', 'LNTF', 'DRUM'],
  fetchedAt: FETCHED_AT,
});

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
  const clock = fakeClock(FETCHED_AT);
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  for (const response of world.responses) await ingest(response);
});
afterAll(() => db.close());

test(`shows nothing at ${INSTANTS} random instants whose document was accepted later`, async () => {
  let figureCount = 0;
  const runs = fc.asyncProperty(
    fc.integer({ min: FROM, max: TO }),
    fc.constantFrom(...world.symbols),
    async (at, symbol) => {
      for (const row of await rowsAt(symbol, at)) figureCount += figuresOf(symbol, row, at);
    },
  );
  await fc.assert(runs, { seed: SEED, numRuns: INSTANTS, endOnFailure: true });
  expect(figureCount).toBeGreaterThan(INSTANTS * 5);
});

test('shows a results filing from the instant of its acceptance, and in the calendar of its day', async () => {
  for (const symbol of world.symbols) {
    for (const at of (world.acceptedAt.get(symbol) ?? []).slice(4, 9)) {
      const reported = async (instant: number): Promise<unknown[]> =>
        (await rowsAt(symbol, instant)).map(({ reportedAt }) => reportedAt);
      const text = new Date(at).toISOString().replace('.000Z', 'Z');
      expect(await reported(at)).toContain(text);
      expect(await reported(at - 1)).not.toContain(text);
      const day = newYorkDate(at);
      const response = await ask('calendar-earnings', { date: day, asOf: at });
      const { pre, after, notSupplied } = bodyOf(response) as Record<string, Row[]>;
      const symbols = [pre, after, notSupplied].flatMap((rows) => rows?.map((row) => row.symbol));
      expect(symbols).toContain(symbol);
    }
  }
});

test('answers for years before the first commit, and says what it cannot know', async () => {
  const [at = 0] = world.acceptedAt.get('NRTH') ?? [];
  const known = await ask('earnings', { symbol: 'NRTH', asOf: at });
  expect(known).toMatchObject({ kind: 'body' });
  expect(known.kind === 'body' && known.knownGaps?.map(({ data }) => data)).toContain('consensus');
  const endpoint = endpoints.find(({ name }) => name === 'earnings');
  const ofStore = parameterValues({ symbol: 'NRTH', asOf: at });
  expect(await endpoint?.handle(ofStore, { db, now: NOW })).toMatchObject({
    kind: 'not-known-yet',
    firstAt: FETCHED_AT,
  });
});

test('measures reactions and movers on the bars of sessions that had closed', async () => {
  const [, , , , , , reportedAt = 0] = world.acceptedAt.get('NRTH') ?? [];
  const reportDay = newYorkDate(reportedAt);
  const isBefore = reportedAt < (closeAt(market.day(reportDay)) ?? 0);
  const date = isBefore ? reportDay : market.nextTradingDay(reportDay);
  const sessions = market.tradingDays(
    market.addTradingDays(date, -30),
    market.addTradingDays(date, 5),
  );
  await ingestFileBars(
    db,
    sessions.map((session) => barOf('NRTH', session, session < date ? '100' : '120')),
  );
  const first = async (asOf: number): Promise<{ date: string } | undefined> => {
    const rows = bodyOf(await ask('earnings-reactions', { symbol: 'NRTH', asOf }));
    return (rows as { reactions: { date: string }[] }[])[0]?.reactions[0];
  };
  const closedAt = closeAt(market.day(date)) ?? 0;
  expect(await first(closedAt)).toMatchObject({ date });
  expect(await first(closedAt - 1)).toBeUndefined();
  const movers = async (asOf: number) => bodyOf(await ask('earnings-movers', { date, asOf }));
  expect(await movers(closedAt)).toMatchObject({ final: true, data: [{ symbol: 'NRTH' }] });
  expect(await movers(closedAt - 1)).toMatchObject({ final: false, data: [] });
});

interface Row {
  symbol: string;
  fiscalPeriodEnd: string;
  reportedAt: string | null;
  updatedAt: string;
  eps: number | null;
  epsGaap: number | null;
  revenue: number | null;
}

async function ask(
  name: string,
  parameters: Record<string, string | number>,
): Promise<EndpointResponse> {
  const endpoint = endpoints.find((candidate) => candidate.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const values = parameterValues({ ...parameters, known: 'public' });
  return endpoint.handle(values, { db, now: NOW });
}

function bodyOf(response: EndpointResponse): unknown {
  if (response.kind !== 'body') throw new Error(response.kind);
  return response.body;
}

async function rowsAt(symbol: string, at: number): Promise<Row[]> {
  return bodyOf(await ask('earnings', { symbol, asOf: at })) as Row[];
}

/** Checks everything in a row that came from a document. Returns the number of figures. */
function figuresOf(symbol: string, row: Row, at: number): number {
  // A report is updated with its newest source.
  for (const instant of [row.updatedAt, row.reportedAt]) {
    if (instant !== null) expect(Date.parse(instant)).toBeLessThanOrEqual(at);
  }
  const figures = [row.eps, row.epsGaap, row.revenue].filter((figure) => figure !== null);
  for (const figure of figures) {
    const key = `${symbol} ${row.fiscalPeriodEnd} ${figure}`;
    expect(world.publicAt.get(key), key).toBeLessThanOrEqual(at);
  }
  return figures.length;
}
