import { describe, expect, test } from 'vitest';
import { reporters } from './conventions.ts';
import { compare, outOfOrder, NOW, type Row, type World } from './world.ts';

/** Tests profiles, the market session and holidays. */
export function companiesAndMarket(world: () => World): void {
  profiles(world);
  market(world);
}

function profiles(world: () => World): void {
  describe('a profile', () => {
    test("computes a profile's market capitalization as price times shares outstanding", async () => {
      let valued = 0;
      for (const symbol of (await reporters(world())).slice(0, 20)) {
        const profile = (await world().read(`/v1/profile/${symbol}`)) as Row;
        expect(profile).toMatchObject({ symbol, active: true });
        const shares = profile['outstandingSharesAllClasses'] ?? profile['outstandingShares'];
        if (profile['price'] === null || shares === null || profile['marketCap'] === null) continue;
        const value = Number(profile['price']) * Number(shares);
        expect(Math.abs(Number(profile['marketCap']) / value - 1)).toBeLessThan(0.05);
        valued += 1;
      }
      expect(valued).toBeGreaterThan(0);
    });

    test('shows the same next report in a profile as on the calendar', async () => {
      let checked = 0;
      for (const symbol of (await reporters(world())).slice(0, 20)) {
        const profile = (await world().read(`/v1/profile/${symbol}`)) as Row;
        const next = profile['nextEarnings'] as Row | null;
        if (next === null) continue;
        const history = await world().rows(`/v1/earnings?symbol=${symbol}`);
        const { date, time, dateStatus } = next;
        expect(history).toContainEqual(expect.objectContaining({ date, time, dateStatus }));
        checked += 1;
      }
      expect(checked).toBeGreaterThan(3);
    });

    test('returns a profile for any spelling of its symbol, and suggestions for an unknown symbol', async () => {
      const [symbol = ''] = await reporters(world());
      const plain = await world().request(`/v1/profile/${symbol}`);
      for (const spelling of [
        symbol.toLowerCase(),
        `%20${symbol}%20`,
        `US:${symbol}`,
        `${symbol}.US`,
      ]) {
        expect((await world().request(`/v1/profile/${spelling}`)).text).toBe(plain.text);
      }
      const unknown = await world().request(`/v1/profile/${symbol}X`);
      expect(unknown.status).toBe(404);
      expect(unknown.body).toMatchObject({ code: 'unknown-symbol', symbol: `${symbol}X` });
      expect((unknown.body as { suggestions: string[] }).suggestions).toContain(symbol);
    });
  });
}

function market(world: () => World): void {
  describe('the market', () => {
    test('reports the market as open on this Friday until 16:00 and opening next on Monday', async () => {
      const status = (await world().read('/v1/market-status')) as Row;
      expect(status).toMatchObject({
        isTodayOpen: true,
        isTomorrowOpen: false,
        nextOpenDate: '2026-11-23',
        currentMarketStatus: 'open',
        timezone: 'America/New_York',
        nextOpen: '2026-11-23T09:30:00-05:00',
        nextClose: '2026-11-20T16:00:00-05:00',
        nextStatus: 'after-hours',
        nextStatusAt: '2026-11-20T21:00:00Z',
        closedReason: null,
        isEarlyClose: false,
        holiday: null,
      });
      expect(Date.parse(String(status['timestamp']))).toBeGreaterThanOrEqual(Date.parse(NOW));
    });

    test('lists market holidays for four calendar years by date', async () => {
      const holidays = await world().rows('/v1/market-holidays');
      expect(outOfOrder(holidays, (a, b) => compare(a['date'], b['date']))).toEqual([]);
      const years = new Set(holidays.map((row) => String(row['date']).slice(0, 4)));
      expect([...years]).toEqual(['2025', '2026', '2027', '2028']);
      const byDate = new Map(holidays.map((row) => [row['date'], row]));
      expect(byDate.get('2025-01-09')).toMatchObject({ status: 'closed', kind: 'special' });
      expect(byDate.get('2026-07-03')).toMatchObject({
        status: 'closed',
        observedFor: '2026-07-04',
      });
      expect(byDate.get('2026-11-27')).toMatchObject({
        status: 'early-close',
        isEarlyClose: true,
        close: '13:00',
        closeAt: '2026-11-27T18:00:00Z',
        weekday: 'Friday',
      });
      expect(byDate.get('2026-12-24')).toMatchObject({ status: 'early-close' });
      expect(byDate.has('2027-12-31')).toBe(false);
    });
  });
}
