import { describe, expect, test } from 'vitest';
import { reporters } from './conventions.ts';
import { compare, addDays, outOfOrder, type Row, TODAY, type World } from './world.ts';

interface Reaction {
  day: number;
  date: string;
  close: number;
  volume: number;
  open: number;
  priceChange: number;
  gapChange: number | null;
  cumulativeChange: number;
  volumeRatio: number | null;
}

/** Tests reactions, movers and unusual volume. */
export function prices(world: () => World): void {
  reactions(world);
  movers(world);
  unusualVolume(world);
}

function reactions(world: () => World): void {
  describe('reactions', () => {
    test('returns reactions to reported events, newest first, and at most twelve unless more are requested', async () => {
      let max = 0;
      for (const symbol of (await reporters(world())).slice(0, 8)) {
        const path = `/v1/earnings-reactions?symbol=${symbol}`;
        const rows = await world().rows(path);
        expect(outOfOrder(rows, (a, b) => compare(b['date'], a['date']))).toEqual([]);
        const reports = await world().rows(`/v1/earnings?symbol=${symbol}`);
        const reported = reports.filter((row) => row['dateStatus'] === 'reported');
        expect(rows.map((row) => row['date'])).toEqual(
          reported.slice(0, 12).map((row) => row['date']),
        );
        expect(rows.length).toBeLessThanOrEqual(12);
        const all = await world().rows(`${path}&limit=100`);
        expect(all.slice(0, rows.length)).toEqual(rows);
        const { headers } = await world().request(path);
        expect(headers.get('x-total-count')).toBe(String(all.length));
        expect(headers.get('link') !== null).toBe(all.length > rows.length);
        expect(await world().rows(`${path}&limit=1`)).toEqual(all.slice(0, 1));
        max = Math.max(max, all.length);
      }
      expect(max).toBeGreaterThan(4);
    });

    test('measures each session of a reaction against the previous close, and the first session against the base', async () => {
      let sessions = 0;
      for (const symbol of (await reporters(world())).slice(0, 8)) {
        for (const row of await world().rows(`/v1/earnings-reactions?symbol=${symbol}`)) {
          sessions += expectSessions(row);
        }
      }
      expect(sessions).toBeGreaterThan(50);
    });

    test("starts a reaction after the news, on a day that depends on the report's session", async () => {
      for (const symbol of (await reporters(world())).slice(0, 8)) {
        for (const row of await world().rows(`/v1/earnings-reactions?symbol=${symbol}`)) {
          const first = (row['reactions'] as Reaction[])[0]?.date;
          if (first === undefined) continue;
          expect(String(row['baseDate']) < first).toBe(true);
          if (row['time'] === 'time-after-hours') expect(first > String(row['date'])).toBe(true);
          if (row['time'] === 'time-pre-market') expect(first >= String(row['date'])).toBe(true);
        }
      }
    });
  });
}

function movers(world: () => World): void {
  describe('movers', () => {
    test('lists only movers that moved by at least 5 percent, with the largest move first', async () => {
      let rowCount = 0;
      for (const day of world().days) {
        const body = (await world().read(`/v1/earnings-movers?date=${day}`)) as Row;
        const rows = body['data'] as Row[];
        expect(body['threshold']).toBe(5);
        expect(outOfOrder(rows, byMove)).toEqual([]);
        const [total = 0, unknown = 0, unpriced = 0] = COUNTS.map((name) => Number(body[name]));
        expect(total).toBeGreaterThanOrEqual(unknown + unpriced + rows.length);
        for (const row of rows) {
          expect(Math.abs(Number(row['priceChange']))).toBeGreaterThanOrEqual(5);
          const change = (Number(row['close']) / Number(row['basePrice']) - 1) * 100;
          expect(row['priceChange']).toBeCloseTo(change, 3);
          expect(row['reactionBasis']).not.toBe('assumed');
        }
        rowCount += rows.length;
      }
      expect(rowCount).toBeGreaterThan(2);
    });

    test("counts the current day's movers, but does not measure them before the close", async () => {
      const body = await world().read(`/v1/earnings-movers?date=${TODAY}`);
      const { totalReported, unknownSession } = body as Record<string, number>;
      const withoutPrices = Number(totalReported) - Number(unknownSession);
      expect(withoutPrices).toBeGreaterThan(0);
      expect(body).toMatchObject({ final: false, withoutPrices, data: [] });
    });

    test('does not report movers as unchanged on a day without prices', async () => {
      let unpriced = 0;
      for (let daysBack = 360; daysBack < 380; daysBack++) {
        const day = addDays(TODAY, -daysBack);
        const body = (await world().read(`/v1/earnings-movers?date=${day}`)) as Row;
        const [total = 0, unknown = 0, unpricedCount = 0] = COUNTS.map((name) =>
          Number(body[name]),
        );
        if (total > 0)
          expect([day, unpricedCount, body['final']]).toEqual([day, total - unknown, false]);
        unpriced += unpricedCount;
      }
      expect(unpriced).toBeGreaterThan(20);
    });

    test('filters movers by direction, price and volume', async () => {
      for (const day of world().days) {
        const path = `/v1/earnings-movers?date=${day}`;
        const all = ((await world().read(path)) as { data: Row[] }).data;
        for (const [query, matches] of FILTERS) {
          const { data } = (await world().read(`${path}&${query}`)) as { data: Row[] };
          expect(data).toEqual(all.filter(matches));
        }
      }
    });
  });
}

function unusualVolume(world: () => World): void {
  describe('unusual volume', () => {
    test('lists unusual volume that meets the criteria and is measured as documented', async () => {
      const body = (await world().read('/v1/unusual-volume')) as Row;
      const criteria = body['criteria'] as Record<string, number>;
      expect(criteria).toEqual({
        lookbackSessions: 20,
        minRelativeVolume: 2,
        minPrice: 1,
        minAverageVolume: 100_000,
        minDollarVolume: 1_000_000,
        maxRows: 100,
      });
      for (const side of ['up', 'down'] as const) {
        const rows = body[side] as Record<string, number>[];
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.length).toBeLessThanOrEqual(100);
        expect(outOfOrder(rows, byVolume)).toEqual([]);
        for (const row of rows) {
          const { price = 0, volume = 0, averageVolume = 0, relativeVolume = 0 } = row;
          expect(Math.sign(row['changePercent'] ?? 0)).toBe(side === 'up' ? 1 : -1);
          expect(relativeVolume).toBeCloseTo(volume / averageVolume, 3);
          expect(row['volumeChangePercent']).toBeCloseTo((volume / averageVolume - 1) * 100, 2);
          expect(row['dollarVolume']).toBeCloseTo(volume * price, 0);
          expect([relativeVolume >= 2, price >= 1, averageVolume >= 100_000]).toEqual([
            true,
            true,
            true,
          ]);
          expect(volume * price).toBeGreaterThanOrEqual(1_000_000);
        }
      }
    });
  });
}

/** Checks each session of a reaction. Returns the number of sessions. */
function expectSessions(row: Row): number {
  const sessions = row['reactions'] as Reaction[];
  const base = row['basePrice'] as number | null;
  if (base === null) {
    expect(sessions).toEqual([]);
    return 0;
  }
  let previousClose = base;
  for (const [index, session] of sessions.entries()) {
    expect(session.day).toBe(index + 1);
    expect(session.priceChange).toBeCloseTo((session.close / previousClose - 1) * 100, 3);
    expect(session.cumulativeChange).toBeCloseTo((session.close / base - 1) * 100, 3);
    const gap = (session.open / base - 1) * 100;
    if (index === 0) expect(session.gapChange).toBeCloseTo(gap, 3);
    else expect(session.gapChange).toBeNull();
    previousClose = session.close;
  }
  expect(sessions.length).toBeLessThanOrEqual(10);
  return sessions.length;
}

const FILTERS: readonly [string, (row: Row) => boolean][] = [
  ['direction=up', (row) => Number(row['priceChange']) > 0],
  ['direction=down', (row) => Number(row['priceChange']) < 0],
  ['minPrice=50', (row) => Number(row['close']) >= 50],
  ['minVolume=1000000', (row) => Number(row['volume']) >= 1_000_000],
];

/** Fields with the total number of companies and the numbers of omitted companies. */
const COUNTS = ['totalReported', 'unknownSession', 'withoutPrices'] as const;

function byMove(a: Row, b: Row): number {
  const move = (row: Row): number => Math.abs(Number(row['priceChange']));
  return move(b) - move(a) || compare(a['symbol'], b['symbol']);
}

function byVolume(a: Row, b: Row): number {
  return (
    Number(b['relativeVolume']) - Number(a['relativeVolume']) || compare(a['symbol'], b['symbol'])
  );
}
