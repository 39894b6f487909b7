import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  filing,
  history,
  instant,
  nasdaq,
  onlyEvent,
  row,
} from '../../../test/support/earnings-histories.ts';
import { changedFields } from './changes.ts';
import type { EpsConsensus, FiguresObservation } from './observation.ts';

const EARLY = '2026-01-20T12:00:00Z';
const EVE = '2026-02-09T22:00:00Z';
const PAST = '2026-02-12T12:00:00Z';

const RANGE: EpsConsensus = {
  mean: '1.2',
  low: '1.1',
  high: '1.3',
  count: 9,
  mean7DaysAgo: '1.19',
  mean30DaysAgo: '1.15',
  mean60DaysAgo: null,
  mean90DaysAgo: null,
  revisions: { upLast7Days: 1, downLast7Days: 0, upLast30Days: 4, downLast30Days: 1 },
};
const REVENUE = { mean: '900', low: '880', high: '930', count: 7 };

function seenBy(
  feed: string,
  ...values: (readonly [at: string, fields: Partial<FiguresObservation>])[]
) {
  return history(
    feed,
    'ahead:2025-12',
    values.map(([at, fields]) => [
      at,
      {
        kind: 'figures',
        symbol: 'NRTH',
        fiscalPeriodEnd: localDate('2025-12-31'),
        fiscalPeriodPrecision: 'month',
        ...fields,
      },
    ]),
  );
}

const calendar = nasdaq([EVE, row('2026-02-10', { epsEstimate: '1.21' })]);

test('prefers the range from the source of the consensus, and takes revenue from another source', () => {
  const yahoo = seenBy('yahoo/quote-summary', [
    EVE,
    { epsConsensus: { ...RANGE, count: 44 }, revenueConsensus: REVENUE, revenueEstimate: '900' },
  ]);
  const forecast = seenBy('nasdaq/earnings-forecast', [EVE, { epsConsensus: RANGE }]);
  const { estimates, provenance } = onlyEvent(derive([yahoo, calendar, forecast]));
  expect(estimates).toEqual({ eps: RANGE, revenue: REVENUE });
  expect(provenance).toMatchObject({
    'estimates.eps': { provider: 'nasdaq', feed: 'earnings-forecast', seenAt: instant(EVE) },
    'estimates.revenue': { provider: 'yahoo', feed: 'quote-summary', seenAt: instant(EVE) },
  });
});

test('leaves the estimates null if no source has a range', () => {
  expect(onlyEvent(derive([calendar])).estimates).toBeNull();
});

test('keeps the last range seen before the release, and none seen only afterwards', () => {
  const late = { ...RANGE, high: '1.9' };
  const released = [
    nasdaq([PAST, row('2026-02-10', { eps: '1.3' })]),
    filing('2026-02-10T21:30:00Z'),
  ];
  const before = seenBy(
    'yahoo/quote-summary',
    [EVE, { epsConsensus: RANGE }],
    [PAST, { epsConsensus: late }],
  );
  expect(onlyEvent(derive([...released, before])).estimates?.eps).toEqual(RANGE);
  const after = seenBy('yahoo/quote-summary', [PAST, { epsConsensus: late }]);
  expect(onlyEvent(derive([...released, after])).estimates).toBeNull();
});

test('counts a new low, high or number of analysts as a change, but no mean and no revisions', () => {
  const rolled = { ...RANGE, mean: '1.2004', mean7DaysAgo: '1.2', revisions: null };
  const seen = (...ranges: (readonly [at: string, range: EpsConsensus])[]) =>
    onlyEvent(
      derive([
        calendar,
        seenBy(
          'yahoo/quote-summary',
          ...ranges.map(([at, epsConsensus]) => [at, { epsConsensus }] as const),
        ),
      ]),
    );
  const first = seen([EARLY, RANGE]);
  const second = seen([EARLY, RANGE], [EVE, rolled]);
  const third = seen([EARLY, RANGE], [EVE, { ...rolled, high: '1.4' }]);
  expect(changedFields(first, second)).toEqual([]);
  expect(second.estimates?.eps).toEqual(rolled);
  // The new version is stored because its source is newer, but the report itself did not change.
  expect(second.provenance['estimates.eps']?.seenAt).toBe(instant(EVE));
  expect(second.updatedAt).toBe(first.updatedAt);
  expect(changedFields(first, third)).toEqual(['estimates']);
  expect(changedFields(null, first)).toContain('estimates');
});

test('moves the time of the last change to that of the range, even if the mean changed later', () => {
  const quiet = nasdaq([EARLY, row('2026-02-10', { epsEstimate: '1.21' })]);
  const wider = { ...RANGE, high: '1.4' };
  const yahoo = seenBy(
    'yahoo/quote-summary',
    [EARLY, { epsConsensus: RANGE }],
    ['2026-01-25T12:00:00Z', { epsConsensus: wider }],
    [EVE, { epsConsensus: { ...wider, mean: '1.21' } }],
  );
  expect(onlyEvent(derive([quiet, yahoo])).updatedAt).toBe(instant('2026-01-25T12:00:00Z'));
});

test("converts the EPS range to today's share basis and leaves revenue alone", () => {
  const split = { date: '2026-01-25', numerator: 2, denominator: 1 };
  const yahoo = seenBy('yahoo/quote-summary', [
    EARLY,
    { epsConsensus: RANGE, revenueConsensus: REVENUE },
  ]);
  const { estimates } = onlyEvent(derive([calendar, yahoo], { splits: [toKnownSplit(split)] }));
  expect(estimates).toMatchObject({
    eps: { mean: '0.6', low: '0.55', high: '0.65', mean7DaysAgo: '0.595', count: 9 },
    revenue: REVENUE,
  });
});

function toKnownSplit({
  date,
  ...ratio
}: {
  date: string;
  numerator: number;
  denominator: number;
}) {
  return {
    date: localDate(date),
    after: localDate('2026-01-24'),
    ratio,
    source: { provider: 'files', feed: 'splits', seenAt: instant(EARLY) },
  };
}
