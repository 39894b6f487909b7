import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  derive,
  figure,
  filed,
  filing,
  history,
  row,
} from '../../../test/support/earnings-histories.ts';
import type { EarningsObservation } from './observation.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';

const EVE = '2026-02-09T22:00:00Z';
const PAST = '2026-02-12T12:00:00Z';
const DAY = '2026-02-10';
const FEEDS = [
  'nasdaq/calendar-earnings',
  'finnhub/calendar-earnings',
  'fmp/earnings-calendar',
  'yahoo/quote-summary',
  'alphavantage/earnings',
];

const eps = fc.constantFrom(null, '1.1', '1.25');
const revenue = fc.constantFrom(null, '1000000', '1005000');

/** One source's rows: ahead of the report, and after it if `isLate`. */
const source = fc.record({
  feed: fc.constantFrom(...FEEDS),
  isLate: fc.boolean(),
  ahead: fc.record({ epsEstimate: eps, revenueEstimate: revenue }),
  after: fc.record({ eps, epsEstimate: eps, revenue }),
});

type Source = typeof source extends fc.Arbitrary<infer Value> ? Value : never;

function rowsOf({ feed, isLate, ahead, after }: Source): ObservationHistory<EarningsObservation> {
  const seen = [[EVE, row(DAY, ahead)] as const];
  return history(feed, '2025-12', isLate ? [...seen, [PAST, row(DAY, after)] as const] : seen);
}

const sources = fc.uniqueArray(source, { selector: ({ feed }) => feed, maxLength: 4 });

test('an added source never removes a result, and never changes the filed EPS', () => {
  fc.assert(
    fc.property(sources, source, fc.boolean(), (given, added, isFiled) => {
      const filings = [
        filing(`${DAY}T21:05:00Z`),
        ...(isFiled ? [filed('2025-12-31', { epsDiluted: figure('1.1') })] : []),
      ];
      const others = given.filter(({ feed }) => feed !== added.feed).map(rowsOf);
      const [before] = derive([...filings, ...others]).events;
      const [after] = derive([...filings, ...others, rowsOf(added)]).events;
      if (before === undefined || after === undefined) return;
      for (const field of ['eps', 'revenue'] as const) {
        if (before[field] !== null) expect(after[field]).not.toBeNull();
      }
      expect(after.epsGaap).toBe(before.epsGaap);
      if (isFiled) expect(after.eps).not.toBeNull();
      const published = [...given, added].flatMap(({ after: values }) => values.eps ?? []);
      if (after.eps !== null) expect([...published, '1.1']).toContain(after.eps);
    }),
  );
});
