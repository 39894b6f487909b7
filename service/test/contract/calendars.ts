import { describe, expect, test } from 'vitest';
import { compare, addDays, outOfOrder, type Row, TODAY, type World } from './world.ts';

/** Tests economic releases, IPOs and dividends. */
export function calendars(world: () => World): void {
  economicCalendar(world);
  ipoCalendar(world);
  dividendCalendar(world);
}

function economicCalendar(world: () => World): void {
  describe('the economic calendar', () => {
    test('sorts the economic calendar by instant with all-day events first, then by country and name', async () => {
      let rowCount = 0;
      for (const day of world().days) {
        const rows = await world().rows(`/v1/calendar/economic?date=${day}`);
        expect(outOfOrder(rows, byInstant)).toEqual([]);
        rowCount += rows.length;
      }
      expect(rowCount).toBeGreaterThan(20);
    });

    test('assigns an economic release to the New York day of its instant', async () => {
      for (const row of await releases(world())) {
        expect(row['time']).toMatch(/^(24H|([01]\d|2[0-3]):[0-5]\d)$/);
        expect(row['scheduledAt'] === null).toBe(row['time'] === '24H');
        if (typeof row['scheduledAt'] !== 'string') continue;
        const [day, time] = inNewYork(row['scheduledAt']);
        expect([day, time]).toEqual([row['date'], row['time']]);
      }
    });

    test('schedules no agency release with an exact time on a weekend', async () => {
      const weekendReleases = (await releases(world())).filter(
        (row) =>
          row['countryCode'] === 'US' && row['timeStatus'] === 'exact' && isWeekend(row['date']),
      );
      expect(weekendReleases).toEqual([]);
    });

    test('ends each economic release id with its period, or with the day of a weekly release', async () => {
      for (const row of await releases(world())) {
        const end = String(row['id']).split(':').at(-1) ?? '';
        expect(end).toMatch(/^\d{4}(-(\d{2}(-\d{2})?|Q[1-4]))?$/);
        if (row['period'] !== null) expect(end).toBe(row['period']);
      }
    });

    test('returns only major economic events on request, for every spelling of a boolean', async () => {
      const [day = ''] = await daysWithMajor(world());
      const path = `/v1/calendar/economic?date=${day}`;
      const all = await world().rows(path);
      const major = all.filter((row) => row['usMajor'] === true);
      for (const flag of ['true', 'TRUE', '1', 'True']) {
        expect(await world().rows(`${path}&usmajor=${flag}`)).toEqual(major);
      }
      for (const flag of ['false', 'FALSE', '0']) {
        expect(await world().rows(`${path}&usmajor=${flag}`)).toEqual(all);
      }
      for (const flag of ['yes', '', '2']) {
        const reply = await world().request(`${path}&usmajor=${flag}`);
        expect(reply.body).toMatchObject({ code: 'invalid-parameter', parameter: 'usmajor' });
      }
    });
  });
}

function ipoCalendar(world: () => World): void {
  describe('the IPO calendar', () => {
    test('lists upcoming IPOs by date with unknown dates last, then by symbol and name', async () => {
      const rows = await world().rows('/v1/calendar/ipo');
      expect(rows.length).toBeGreaterThan(2);
      expect(outOfOrder(rows, byDeal)).toEqual([]);
      for (const row of rows) {
        expect(['expected', 'filed', 'postponed', 'priced']).toContain(row['status']);
        expect(String(row['id'])).toMatch(/^ipo_[0-9a-f]+$/);
        const [low, high] = [row['priceLow'], row['priceHigh']] as (number | null)[];
        if (low != null && high != null) expect(low).toBeLessThanOrEqual(high);
      }
    });
  });
}

function dividendCalendar(world: () => World): void {
  describe('the dividend calendar', () => {
    test('lists ex-dividend dates from today to 90 days ahead, in order', async () => {
      const rows = await world().rows('/v1/calendar/dividends');
      expect(rows.length).toBeGreaterThan(20);
      expect(outOfOrder(rows, byExDate)).toEqual([]);
      for (const row of rows) {
        expect(String(row['exDate']) >= TODAY).toBe(true);
        expect(String(row['exDate']) <= addDays(TODAY, 90)).toBe(true);
      }
    });

    test('returns consistent dividend dates, or a flag that explains the inconsistency', async () => {
      for (const row of await world().rows('/v1/calendar/dividends')) {
        if ((row['flags'] as string[]).length > 0) continue;
        expect(compare(row['declarationDate'] ?? '', row['exDate'])).toBeLessThanOrEqual(0);
        if (row['paymentDate'] !== null) {
          expect(compare(row['exDate'], row['paymentDate'])).toBeLessThanOrEqual(0);
        }
        if (row['recordDate'] !== null) {
          expect(compare(row['exDate'], row['recordDate'])).toBeLessThanOrEqual(0);
        }
      }
    });
  });
}

function byInstant(a: Row, b: Row): number {
  return (
    compare(a['scheduledAt'], b['scheduledAt'], 'first') ||
    compare(a['country'], b['country']) ||
    compare(a['eventName'], b['eventName']) ||
    compare(a['id'], b['id'])
  );
}

function byDeal(a: Row, b: Row): number {
  return (
    compare(a['date'], b['date']) ||
    compare(a['symbol'], b['symbol']) ||
    compare(a['companyName'], b['companyName']) ||
    compare(a['id'], b['id'])
  );
}

function byExDate(a: Row, b: Row): number {
  return (
    compare(a['exDate'], b['exDate']) ||
    compare(a['symbol'], b['symbol']) ||
    compare(a['type'], b['type']) ||
    compare(a['id'], b['id'])
  );
}

async function releases(world: World): Promise<Row[]> {
  const days = world.days.map((day) => world.rows(`/v1/calendar/economic?date=${day}`));
  return (await Promise.all(days)).flat();
}

async function daysWithMajor(world: World): Promise<string[]> {
  const rows = await releases(world);
  return rows.filter((row) => row['usMajor'] === true).map((row) => String(row['date']));
}

function isWeekend(date: unknown): boolean {
  return [0, 6].includes(new Date(`${String(date)}T00:00:00Z`).getUTCDay());
}

/** Returns the date and time in New York. */
function inNewYork(instant: string): [string, string] {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(instant));
  const [day = '', time = ''] = parts.split(' ');
  return [day, time];
}
