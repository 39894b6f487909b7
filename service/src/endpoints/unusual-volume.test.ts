import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { barOf, market, ingestFileBars } from '../../test/support/stored-bars.ts';
import { eventOf, securityOf, storeRows, valuesOf } from '../../test/support/stored-earnings.ts';
import { emptyStore, memoryStore } from '../../test/support/stores.ts';
import { mergeProfiles } from '../datasets/profiles/merge.ts';
import { adjustForSplits, type DailyBar, type PriceSplit } from '../domain/daily-bar.ts';
import { localDate } from '../domain/local-date.ts';
import { deriveUnusualVolume } from '../domain/unusual-volume.ts';
import type { Db } from '../storage/db.ts';
import { endpoint, unusualVolumeEndpoint } from './unusual-volume.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-21T15:00:00Z');
const DAY = localDate('2026-11-20');
const SESSIONS = market.tradingDays(market.addTradingDays(DAY, -24), DAY);
const SYMBOLS = ['AABB', 'CCDD', 'EEFF', 'GGHH', 'IIJJ', 'KKLL'];
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  const securities = SYMBOLS.map((symbol) => securityOf(symbol));
  await storeRows(db, { securities });
  await db.transaction((tx) => mergeProfiles({ tx, now: NOW }, securities, []));
});
afterAll(() => db.close());

test('lists stocks that traded at least twice their usual volume, grouped by direction', async () => {
  const last: Record<string, [close: string, volume: number]> = {
    AABB: ['11', 1_000_000],
    CCDD: ['9', 400_000],
    EEFF: ['11', 399_999],
    GGHH: ['10', 5_000_000],
    IIJJ: ['12', 900_000],
    KKLL: ['0.9', 90_000_000],
  };
  await ingestFileBars(
    db,
    SYMBOLS.flatMap((symbol) =>
      SESSIONS.map((date) => {
        const [close, volume] = date < DAY ? ['10', 200_000] : (last[symbol] ?? ['10', 0]);
        return barOf(symbol, date, close, { volume });
      }),
    ),
  );
  await storeRows(db, { events: [eventOf('AABB', { dateStatus: 'reported', date: DAY })] });
  const closedAt = Date.parse(`${DAY}T21:00:00Z`);
  const before = await endpoint.handle(parameterValues({ asOf: closedAt - 1 }), { db, now: NOW });
  expect(before).toMatchObject({ body: { date: '2026-11-19', up: [], down: [] } });
  const body = await bodyNow();
  const past = await endpoint.handle(parameterValues({ asOf: NOW }), { db, now: NOW });
  expect(past).toMatchObject({ body: { up: body.up, down: body.down } });
  expect(body).toMatchObject({ date: DAY, session: 'final', criteria: { minRelativeVolume: 2 } });
  expect(body.up.map(({ symbol }) => symbol)).toEqual(['AABB', 'IIJJ']);
  expect(body.down.map(({ symbol }) => symbol)).toEqual(['CCDD']);
  expect(body.up[0]).toMatchObject({
    price: 11,
    changePercent: 10,
    volume: 1e6,
    averageVolume: 2e5,
    relativeVolume: 5,
    volumeChangePercent: 400,
    dollarVolume: 11e6,
    type: 'equity',
    earnings: {
      date: DAY,
      time: 'time-pre-market',
    },
  });
  expect(body.down[0]).toMatchObject({ earnings: null, relativeVolume: 2 });
});

test.each(['preferred', 'warrant', 'right', 'unit'])(
  'excludes securities with the tag %s from unusual volume',
  async (tag) => {
    await ingestFileBars(
      db,
      SESSIONS.flatMap((date) =>
        ['AABB', 'CCDD'].map((symbol) =>
          barOf(symbol, date, date < DAY ? '10' : '11', { volume: date < DAY ? 200_000 : 900_000 }),
        ),
      ),
    );
    expect((await bodyNow()).up.map(({ symbol }) => symbol)).toEqual(['AABB', 'CCDD']);
    await db.query(
      `update profile set fields = jsonb_set(fields, '{tags}', jsonb_build_array('adr', $1::text))
      where symbol = 'CCDD'`,
      [tag],
    );
    expect((await bodyNow()).up.map(({ symbol }) => symbol)).toEqual(['AABB']);
  },
);

test('preselects every stock that can qualify for unusual volume, including stocks with splits or missing bars', async () => {
  const bar = fc.record({
    close: fc.constantFrom('0.99', '1', '4', '5', '10'),
    volume: fc.constantFrom(null, 50_000, 100_000, 250_000, 1_000_000),
    isThere: fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0),
  });
  const company = fc.record({
    bars: fc.array(bar, { minLength: SESSIONS.length, maxLength: SESSIONS.length }),
    split: fc.option(
      fc.record({ at: fc.nat(SESSIONS.length - 1), factor: fc.constantFrom(2, 10) }),
    ),
  });
  const world = fc.array(company, { minLength: SYMBOLS.length, maxLength: SYMBOLS.length });
  await fc.assert(
    fc.asyncProperty(world, async (companies) => {
      await db.query('truncate price_bar, share_split');
      const candidates = [];
      for (const [i, symbol] of SYMBOLS.entries()) {
        const { bars: fixedBars = [], split = null } = companies[i] ?? {};
        const bars: DailyBar[] = fixedBars.flatMap(({ close, volume, isThere }, at) => {
          const date = SESSIONS[at] ?? DAY;
          const nothing = { open: null, high: null, low: null };
          return isThere || date === DAY ? [{ date, ...nothing, close, volume }] : [];
        });
        const splits: PriceSplit[] = [];
        if (split !== null) {
          const ratio = { numerator: split.factor, denominator: 1 };
          splits.push({ date: SESSIONS[split.at] ?? DAY, ratio });
          await db.query(
            `insert into share_split values ($1, $2, 'files', 'splits', $3, 1, now())`,
            [symbol, SESSIONS[split.at] ?? DAY, split.factor],
          );
        }
        await ingestFileBars(
          db,
          bars.map(({ date, close, volume }) => barOf(symbol, date, close, { volume })),
        );
        candidates.push({ symbol, bars: adjustForSplits(bars, splits) });
      }
      const expected = deriveUnusualVolume(candidates, DAY, market);
      const body = await bodyNow();
      for (const side of ['up', 'down'] as const) {
        expect(body[side].map(({ symbol, relativeVolume }) => [symbol, relativeVolume])).toEqual(
          expected[side].map((row) => [row.candidate.symbol, Number(row.relativeVolume)]),
        );
      }
    }),
    { numRuns: 25 },
  );
});

test("applies the operator's volume criteria and includes them in the response", async () => {
  await ingestFileBars(
    db,
    SESSIONS.map((date) =>
      barOf('AABB', date, date < DAY ? '0.5' : '0.6', { volume: date < DAY ? 1000 : 1500 }),
    ),
  );
  const criteria = {
    lookbackSessions: 10,
    minRelativeVolume: '1.5',
    minPrice: '0.6',
    minAverageVolume: '1000',
    minDollarVolume: '900',
    maxRows: 1,
  };
  expect((await bodyNow()).up).toEqual([]);
  const body = await bodyNow(unusualVolumeEndpoint(criteria));
  expect(body.up).toMatchObject([{ symbol: 'AABB', relativeVolume: 1.5, averageVolume: 1000 }]);
  expect(body).toMatchObject({
    criteria: {
      lookbackSessions: 10,
      minRelativeVolume: 1.5,
      minPrice: 0.6,
      minAverageVolume: 1e3,
      minDollarVolume: 900,
      maxRows: 1,
    },
  });
  const tighter = unusualVolumeEndpoint({ ...criteria, minDollarVolume: '900.01' });
  expect((await bodyNow(tighter)).up).toEqual([]);
});

test('returns empty lists of unusual volume if there are no prices', async () => {
  expect(await bodyNow()).toMatchObject({ date: DAY, asOf: null, up: [], down: [] });
});

test('invalidates cached unusual volume when a company or its name becomes known after its bars', async () => {
  const rows = SESSIONS.map((date) =>
    barOf('LATE', date, date < DAY ? '10' : '11', { volume: date < DAY ? 200_000 : 900_000 }),
  );
  await storeRows(db, { securities: [securityOf('LATE')] });
  await ingestFileBars(db, rows);
  expect((await bodyNow()).up).toEqual([]);
  const { topics } = await db.transaction((tx) =>
    mergeProfiles({ tx, now: NOW }, [securityOf('LATE')], []),
  );
  expect((await bodyNow()).up).toMatchObject([{ symbol: 'LATE' }]);
  expect(endpoint.topics(valuesOf({}), NOW).some((topic) => topics.has(topic))).toBe(true);
});

test('has an unusual volume example that matches the schema, and becomes stale when new bars arrive', () => {
  expect(check.Check(endpoint.example)).toBe(true);
  expect(endpoint.topics(valuesOf({}), NOW)).toContain('bars');
});

interface Body {
  up: { symbol: string; relativeVolume: number }[];
  down: { symbol: string; relativeVolume: number }[];
}

async function bodyNow(subject = endpoint): Promise<Body> {
  const response = await subject.handle(valuesOf({}), { db, now: NOW });
  if (response.kind !== 'body') throw new Error('no body');
  expect(check.Check(response.body)).toBe(true);
  return response.body as Body;
}
