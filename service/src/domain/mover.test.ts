import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatBar, pricesUpTo, quietSessions } from '../../test/support/price-history.ts';
import type { DailyBar, PriceSplit } from './daily-bar.ts';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import { deriveMovers, type MoverCandidate, type MoverFilter } from './mover.ts';

const calendar = marketCalendar();
/** A Tuesday. */
const DAY = localDate('2026-05-12');

function candidate(
  symbol: string,
  bars: readonly DailyBar[],
  overrides: Partial<MoverCandidate> = {},
) {
  return {
    id: `ern_${symbol}`,
    symbol,
    date: DAY,
    time: 'time-pre-market' as const,
    reportedAt: null,
    markerAhead: true,
    isReported: true,
    bars: pricesUpTo(DAY, bars).bars,
    ...overrides,
  };
}

/** Returns a candidate that closed at `from` on the session before `DAY` and at `to` on `DAY`. */
function moved(symbol: string, from: string, to: string, overrides: Partial<MoverCandidate> = {}) {
  return candidate(symbol, [...quietSessions(DAY, from), flatBar(DAY, to, 2_500)], overrides);
}

function derive(candidates: MoverCandidate[], filter: MoverFilter = {}) {
  return deriveMovers(candidates, DAY, calendar, DAY, filter);
}

function list(candidates: MoverCandidate[], filter: MoverFilter = {}): string[] {
  const { movers } = derive(candidates, filter);
  return movers.map(({ candidate, priceChange }) => `${candidate.symbol} ${priceChange}`);
}

test.each([
  ['exactly 5 percent counts, which floating point misses', '1.60', '1.68', ['A 5']],
  ['exactly −5 percent counts', '1.60', '1.52', ['A -5']],
  ['4.99999 percent does not, though it rounds to 5', '100', '104.99999', []],
  ['−4.99999 percent does not', '100', '95.00001', []],
  ['5.00001 percent counts and is shown as 5', '100', '105.00001', ['A 5']],
  ['a fall to a third', '30', '10', ['A -66.6667']],
  ['no move', '30', '30', []],
])('lists only moves of at least 5 percent: %s', (_, from, to, expected) => {
  expect(list([moved('A', from, to)])).toEqual(expected);
  expect(derive([moved('A', from, to)]).totalReported).toBe(1);
});

test('lists a move of exactly 5 percent across a split whose adjusted prices are repeating decimals', () => {
  // 4.82 / 3 = 1.60666…, times 1.05 is 1.687.
  const bars = [...quietSessions(DAY, '4.82'), flatBar(DAY, '1.687')];
  const splits: PriceSplit[] = [{ date: DAY, ratio: { numerator: 3, denominator: 1 } }];
  const adjusted = { bars: pricesUpTo(DAY, bars, splits).bars };
  expect(list([candidate('A', bars, adjusted)])).toEqual(['A 5']);
});

test('returns the base price, gap and volume for each mover', () => {
  const bar = { ...flatBar(DAY, '45', 2_500), open: '52' };
  const { movers } = derive([candidate('A', [...quietSessions(DAY, '50'), bar])]);
  expect(movers).toMatchObject([
    {
      priceChange: '-10',
      close: '45',
      volume: 2500,
      basePrice: '50',
      baseDate: '2026-05-11',
      reactionBasis: 'session',
      gapChange: '4',
      volumeRatio: '2.5',
    },
  ]);
});

test('orders movers by the largest move, up or down, then by symbol', () => {
  const rows = [
    moved('C', '10', '11'),
    moved('B', '10', '9'),
    moved('A', '3', '2'),
    moved('D', '10', '11.0000001'),
  ];
  const expected = ['A -33.3333', 'D 10', 'B -10', 'C 10'];
  expect(list(rows)).toEqual(expected);
  expect(list(rows.toReversed())).toEqual(expected);
});

test('counts reports from the previous evening, but not those from the evening of the day itself', () => {
  const evening = 'time-after-hours';
  const rows = [
    moved('A', '10', '12', { date: localDate('2026-05-11'), time: evening }),
    moved('B', '10', '12', { time: evening }),
    moved('C', '10', '12', { date: localDate('2026-05-11') }),
    moved('D', '10', '12', { reportedAt: Date.parse('2026-05-12T16:00:00Z') }),
  ];
  expect(derive(rows)).toMatchObject({ totalReported: 2, unknownSession: 0 });
  expect(list(rows)).toEqual(['A 20', 'D 20']);
});

test("counts a company whose reaction day is only assumed, but doesn't list it as a mover", () => {
  const date = localDate('2026-05-11');
  const time = 'time-not-supplied';
  const quiet = [...quietSessions(DAY, '10'), flatBar(DAY, '12', 1_100)];
  const loud = [...quietSessions(DAY, '10'), flatBar(DAY, '12', 5_000)];
  const rows = [candidate('A', quiet, { date, time }), candidate('B', loud, { date, time })];
  expect(derive(rows)).toMatchObject({
    totalReported: 2,
    unknownSession: 1,
    movers: [
      {
        candidate: { symbol: 'B' },
        reactionBasis: 'inferred',
      },
    ],
  });
});

test('assigns a company whose trading was halted to the day on which it trades again', () => {
  const bars = [...quietSessions('2026-05-11', '10'), flatBar(DAY, '12')];
  const halted = candidate('A', bars, { date: localDate('2026-05-11') });
  expect(list([halted])).toEqual(['A 20']);
  const before = deriveMovers([halted], localDate('2026-05-11'), calendar, DAY);
  expect(before).toMatchObject({ totalReported: 0, movers: [] });
});

test('counts a company with a missing closing price as without prices, not as unchanged', () => {
  const counts = { totalReported: 1, unknownSession: 0, withoutPrices: 1, movers: [] };
  expect(derive([candidate('A', [])])).toMatchObject(counts);
  expect(derive([candidate('B', [flatBar(DAY, '30')])])).toMatchObject(counts);
  expect(derive([candidate('C', quietSessions(DAY, '30'))])).toMatchObject(counts);
  expect(derive([moved('D', '30', '30')])).toMatchObject({ ...counts, withoutPrices: 0 });
});

test("counts a company that didn't trade for more than five sessions, but doesn't list it as a mover", () => {
  const first = flatBar(DAY, '12');
  const upTo = (day: string) => [...quietSessions(day, '10'), first];
  // First five, then six sessions lie between the base and 12 May.
  expect(list([candidate('A', upTo('2026-05-05'))])).toEqual(['A 20']);
  expect(derive([candidate('A', upTo('2026-05-04'))])).toMatchObject({
    totalReported: 1,
    withoutPrices: 1,
    movers: [],
  });
});

test('does not infer the session from volume for an event without results, and counts its session as unknown', () => {
  const loud = [...quietSessions(DAY, '10'), flatBar(DAY, '12', 5_000)];
  const release = { date: localDate('2026-05-11'), time: 'time-not-supplied' as const };
  const rows = [true, false].map((isReported) =>
    candidate(isReported ? 'A' : 'B', loud, { ...release, isReported }),
  );
  expect(derive(rows)).toMatchObject({ totalReported: 2, unknownSession: 1, withoutPrices: 0 });
  expect(list(rows)).toEqual(['A 20']);
});

test.each([
  ['a report with a known session', {}, DAY, true],
  ['a report with an unknown session that day', { time: 'time-not-supplied' }, DAY, false],
  ['the same once the next session is over', { time: 'time-not-supplied' }, '2026-05-13', true],
  ['a report of the day before', { time: 'time-not-supplied', date: '2026-05-11' }, DAY, true],
  ['a report of the weekend before', { time: 'time-not-supplied', date: '2026-05-10' }, DAY, true],
  ['the same on Monday', { time: 'time-not-supplied', date: '2026-05-10' }, '2026-05-11', false],
  [
    'a report with a known instant',
    { time: 'time-not-supplied', reportedAt: Date.parse('2026-05-12T12:00:00Z') },
    DAY,
    true,
  ],
] as const)(
  "decides whether a day's movers are settled, with %s",
  (_, release, session, isSettled) => {
    const date = localDate('date' in release ? release.date : DAY);
    const row = moved('A', '10', '12', { ...release, date });
    const movers = deriveMovers([row], DAY, calendar, localDate(session));
    expect(movers.isSettled).toBe(isSettled);
  },
);

test("leaves a day's movers unsettled while the next session may still assign a report to that day", () => {
  const loud = [...quietSessions(DAY, '10'), flatBar(DAY, '12', 5_000)];
  const next = flatBar('2026-05-13', '12');
  const unknown = { time: 'time-not-supplied' as const };
  const before = [candidate('A', loud, unknown)];
  expect(derive(before)).toMatchObject({ totalReported: 0, isSettled: false, movers: [] });
  const bars = pricesUpTo('2026-05-13', [...loud, next]).bars;
  const after = [candidate('A', [], { ...unknown, bars })];
  expect(deriveMovers(after, DAY, calendar, localDate('2026-05-13'))).toMatchObject({
    totalReported: 1,
    isSettled: true,
    movers: [{ reactionBasis: 'inferred' }],
  });
});

test('counts a company with two reports once, preferring a known session and then the newest report', () => {
  const monday = localDate('2026-05-11');
  const rows = [
    moved('A', '10', '12', { id: 'a', date: monday, time: 'time-not-supplied' }),
    moved('A', '10', '12', { id: 'b', date: monday, time: 'time-after-hours' }),
    moved('A', '10', '12', { id: 'c' }),
  ];
  for (const order of [rows, rows.toReversed()]) {
    const movers = derive(order);
    expect(movers).toMatchObject({ totalReported: 1, unknownSession: 0 });
    expect(movers.movers.map(({ candidate }) => candidate.id)).toEqual(['c']);
  }
});

test('prefers a report with a session marker to a newer report with an inferred session', () => {
  const loud = [
    ...quietSessions(DAY, '10'),
    flatBar(DAY, '12', 5_000),
    flatBar('2026-05-13', '12'),
  ];
  const bars = pricesUpTo('2026-05-13', loud).bars;
  const evening = { date: localDate('2026-05-11'), time: 'time-after-hours' as const };
  const rows = [
    candidate('A', [], { id: 'a', bars, ...evening }),
    candidate('A', [], { id: 'b', bars, time: 'time-not-supplied' }),
  ];
  const { movers } = deriveMovers(rows, DAY, calendar, localDate('2026-05-13'));
  expect(movers).toMatchObject([{ candidate: { id: 'a' }, reactionBasis: 'session' }]);
});

test('measures moves on an unfinished day but infers no session from its volume', () => {
  const bars = [...quietSessions(DAY, '10'), flatBar(DAY, '12', 5_000)];
  const monday = localDate('2026-05-11');
  const rows = [
    candidate('A', bars),
    candidate('B', bars, { date: monday, time: 'time-not-supplied' }),
  ];
  expect(deriveMovers(rows, DAY, calendar, monday)).toMatchObject({
    totalReported: 2,
    unknownSession: 1,
    movers: [
      {
        candidate: { symbol: 'A' },
        priceChange: '20',
      },
    ],
  });
});

test('applies the direction, minimum price and minimum volume to the listed movers but not to the counts', () => {
  const silent = candidate('E', [...quietSessions(DAY, '10'), flatBar(DAY, '12', null)]);
  const rows = [moved('A', '10', '12'), moved('B', '4', '3'), silent];
  expect(list(rows, { direction: 'up' })).toEqual(['A 20', 'E 20']);
  expect(list(rows, { direction: 'down' })).toEqual(['B -25']);
  expect(list(rows, { minPrice: '3' })).toEqual(['B -25', 'A 20', 'E 20']);
  expect(list(rows, { minPrice: '3.01' })).toEqual(['A 20', 'E 20']);
  expect(list(rows, { minVolume: 2_500 })).toEqual(['B -25', 'A 20']);
  expect(list(rows, { minVolume: 2_501 })).toEqual([]);
  expect(derive(rows, { minVolume: 2_501 }).totalReported).toBe(3);
});

test('lists exactly the moves of at least 5 percent, regardless of the price unit', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  const nearFive = cents.chain((base) =>
    fc.tuple(fc.constant(base * 20), fc.integer({ min: base * 19 - 2, max: base * 21 + 2 })),
  );
  const price = (units: number) => (units / 100).toFixed(2);
  fc.assert(
    fc.property(nearFive, fc.integer({ min: 1, max: 99 }), ([base, close], unit) => {
      const row = moved('A', price(base * unit), price(close * unit));
      const shown = list([row]);
      expect(shown.length).toBe(Math.abs(close - base) * 20 >= base ? 1 : 0);
      expect(shown).toEqual(list([moved('A', price(base), price(close))]));
    }),
    { numRuns: 60 },
  );
});
