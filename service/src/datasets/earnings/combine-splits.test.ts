import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { KnownSplit } from './report-candidate.ts';
import { combineSplits } from './combine-splits.ts';

const TODAY = localDate('2026-06-01');
const SEEN_AT = Date.parse('2026-05-01T12:00:00Z');

/** Builds a split revealed by the filings of these two days. */
function filed(after: string, date: string, numerator: number, denominator = 1): KnownSplit {
  return {
    after: localDate(after),
    date: localDate(date),
    ratio: { numerator, denominator },
    source: { provider: 'sec', feed: 'companyfacts', seenAt: SEEN_AT },
  };
}

function dated(date: string, numerator: number, denominator = 1) {
  const source = { provider: 'nasdaq', feed: 'screener', seenAt: SEEN_AT };
  return { date: localDate(date), numerator, denominator, ...source };
}

const FILED = filed('2026-02-20', '2026-04-30', 25);

/**
 * Returns the last day on the old basis, the first day on the new basis, and the ratio for each
 * split.
 */
function combined(...args: Parameters<typeof combineSplits>): string[] {
  return combineSplits(...args).map(({ after, date, ratio }) => {
    return `${after} ${date} ${ratio.numerator}:${ratio.denominator}`;
  });
}

test("applies a split that no filing reveals yet from the split's own date", () => {
  expect(combined([], [dated('2026-04-06', 25)], TODAY)).toEqual(['2026-04-05 2026-04-06 25:1']);
});

test('takes the date of a filed split from prices and counts the split only once', () => {
  expect(combined([FILED], [dated('2026-04-06', 25)], TODAY)).toEqual([
    '2026-04-05 2026-04-06 25:1',
  ]);
});

test('assigns separate dates to two splits that the filings reveal as one', () => {
  const both = [dated('2026-03-02', 5), dated('2026-04-06', 5)];
  expect(combined([FILED], both, TODAY)).toEqual([
    '2026-03-01 2026-03-02 5:1',
    '2026-04-05 2026-04-06 5:1',
  ]);
});

test.each(['2026-02-18', '2026-05-05'])(
  'treats a split dated %s as the filed split if the ratio is the same',
  (day) => {
    expect(combined([FILED], [dated(day, 25)], TODAY)).toEqual(['2026-02-20 2026-04-30 25:1']);
  },
);

test('ignores a split with a different ratio dated between the two filings', () => {
  expect(combined([FILED], [dated('2026-04-06', 5, 4)], TODAY)).toEqual([
    '2026-02-20 2026-04-30 25:1',
  ]);
});

test('keeps dated splits outside the period of a filed split, oldest first', () => {
  const others = [dated('2024-05-01', 2), dated('2026-05-20', 1, 10)];
  expect(combined([FILED], others, TODAY)).toEqual([
    '2024-04-30 2024-05-01 2:1',
    '2026-02-20 2026-04-30 25:1',
    '2026-05-19 2026-05-20 1:10',
  ]);
});

test('ignores a future split', () => {
  expect(combined([], [dated('2026-06-02', 2)], TODAY)).toEqual([]);
  expect(combined([], [dated('2026-06-01', 2)], TODAY)).toHaveLength(1);
});

test.each([
  [1281, 1000, 0],
  [11, 10, 1],
  [1000, 500, 1],
  [1, 150, 1],
])('for a price adjustment of %i for %i, returns %i splits', (numerator, denominator, times) => {
  expect(combined([], [dated('2026-04-06', numerator, denominator)], TODAY)).toHaveLength(times);
});
