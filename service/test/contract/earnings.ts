import { describe, expect, test } from 'vitest';
import { reporters } from './conventions.ts';
import { compare, addDays, outOfOrder, type Row, TODAY, type World } from './world.ts';

type Day = Record<'pre' | 'after' | 'notSupplied', Row[]> & Row;

/** Tests the earnings calendar and a company's earnings history. */
export function earnings(world: () => World): void {
  earningsCalendar(world);
  companyEarnings(world);
}

function earningsCalendar(world: () => World): void {
  describe('the earnings calendar', () => {
    test('sorts each bucket of the earnings calendar by market capitalization with unknown values last, then by symbol', async () => {
      let rows = 0;
      for (const { pre, after, notSupplied } of await everyDay(world())) {
        for (const bucket of [pre, after, notSupplied]) {
          expect(outOfOrder(bucket, bySize)).toEqual([]);
          rows += bucket.length;
        }
      }
      expect(rows).toBeGreaterThan(20);
    });

    test('puts each report on the earnings calendar into the bucket for its session', async () => {
      for (const day of await everyDay(world())) {
        expect(timesOf(day.pre)).not.toContainEqual(expect.not.stringMatching('pre-market'));
        expect(timesOf(day.after)).not.toContainEqual(expect.not.stringMatching('after-hours'));
        for (const time of timesOf(day.notSupplied)) {
          expect(['time-not-supplied', 'time-during-market']).toContain(time);
        }
        for (const row of rowsOf(day)) expect(row['date']).toBe(day['date']);
      }
    });

    test('marks weekends on the earnings calendar and still returns their reports', async () => {
      const byDate = new Map((await everyDay(world())).map((day) => [day['date'], day]));
      expect(byDate.get('2026-11-21')).toMatchObject({ isTradingDay: false });
      expect(byDate.get('2026-11-26')).toMatchObject({ isTradingDay: false });
      expect(byDate.get('2026-11-27')).toMatchObject({ isTradingDay: true });
    });

    test('returns earnings results only for reported events, and marks those events as reported', async () => {
      const statuses = new Set<unknown>();
      const later = await world().read(`/v1/calendar/earnings?date=${addDays(TODAY, 31)}`);
      for (const row of [...(await everyDay(world())), later as Day].flatMap(rowsOf)) {
        statuses.add(row['dateStatus']);
        if (row['eps'] !== null || row['revenue'] !== null) {
          expect(row['dateStatus']).toBe('reported');
        }
        if (row['dateStatus'] === 'projected') expect(row['reportedAt']).toBeNull();
        expect(String(row['id'])).toMatch(/^ern_[0-9a-f]+$/);
      }
      expect(statuses).toEqual(new Set(['projected', 'confirmed', 'reported']));
    });

    test('sets the date of an earnings calendar to that of its newest change', async () => {
      for (const day of await everyDay(world())) {
        const newest = rowsOf(day).reduce<unknown>(
          (latest, row) =>
            compare(latest, row['updatedAt'], 'first') < 0 ? row['updatedAt'] : latest,
          null,
        );
        expect(day['asOf']).toBe(newest);
      }
    });
  });
}

function companyEarnings(world: () => World): void {
  describe('the earnings of a company', () => {
    test("lists a company's newest report first, with the same events as the earnings calendar", async () => {
      const calendar = new Map(
        (await everyDay(world())).flatMap(rowsOf).map((row) => [row['id'], row]),
      );
      let matches = 0;
      for (const rows of await histories(world())) {
        expect(outOfOrder(rows, (a, b) => compare(b['date'], a['date']))).toEqual([]);
        for (const row of rows) {
          const calendarRow = calendar.get(row['id']);
          if (calendarRow === undefined) continue;
          matches += 1;
          expect(row).toMatchObject(calendarRow);
        }
      }
      expect(matches).toBeGreaterThan(5);
    });

    test('computes earnings surprises as documented', async () => {
      let measured = 0;
      for (const row of (await histories(world())).flat()) {
        for (const metric of ['eps', 'revenue'] as const) measured += expectSurprise(row, metric);
      }
      expect(measured).toBeGreaterThan(50);
    });

    test('lists at most four upcoming reports for a company, one per quarter', async () => {
      for (const rows of await histories(world())) {
        const upcoming = rows.filter((row) => row['dateStatus'] !== 'reported');
        const quarters = upcoming.map((row) =>
          JSON.stringify([row['fiscalYear'], row['fiscalQuarter']]),
        );
        expect(new Set(quarters).size).toBe(quarters.length);
        expect(upcoming.length).toBeLessThanOrEqual(4);
      }
    });

    test('returns an empty list for a company that has never reported, and 404 for an unknown company', async () => {
      const reply = await world().request('/v1/earnings?symbol=NOSUCHQ');
      expect([reply.status, (reply.body as Row)['code']]).toEqual([404, 'unknown-symbol']);
    });
  });
}

function bySize(a: Row, b: Row): number {
  const [left, right] = [a['marketCap'], b['marketCap']];
  if (left !== right)
    return left === null || right === null ? compare(left, right) : compare(right, left);
  return compare(a['symbol'], b['symbol']);
}

function rowsOf(day: Day): Row[] {
  return [...day.pre, ...day.after, ...day.notSupplied];
}

function timesOf(rows: readonly Row[]): string[] {
  return rows.map((row) => String(row['time']));
}

function everyDay(world: World): Promise<Day[]> {
  return Promise.all(
    world.days.map((day) => world.read(`/v1/calendar/earnings?date=${day}`) as Promise<Day>),
  );
}

async function histories(world: World): Promise<Row[][]> {
  const symbols = (await reporters(world)).slice(0, 15);
  return Promise.all(symbols.map((symbol) => world.rows(`/v1/earnings?symbol=${symbol}`)));
}

/**
 * Checks that the surprise is actual − estimate, its percentage is relative to |estimate|, and the
 * outcome follows the sign. Returns 1 if both values exist.
 */
function expectSurprise(row: Row, metric: 'eps' | 'revenue'): number {
  const [actual, estimate] = [row[metric], row[`${metric}Estimate`]] as (number | null)[];
  const surprise = row[`${metric}Surprise`] as number | null;
  const percent = row[`${metric}SurprisePercent`] as number | null;
  const outcome = row[`${metric}Outcome`];
  if (actual == null || estimate == null) {
    expect([surprise, percent, outcome]).toEqual([null, null, null]);
    return 0;
  }
  if (surprise === null) return 0;
  expect(surprise).toBeCloseTo(actual - estimate, 6);
  if (Math.abs(estimate) < 0.005) expect(percent).toBeNull();
  else expect(percent).toBeCloseTo((surprise / Math.abs(estimate)) * 100, 3);
  const sign = Math.abs(surprise) < 1e-9 ? 'meet' : surprise > 0 ? 'beat' : 'miss';
  expect([sign, 'meet']).toContain(outcome);
  return 1;
}
