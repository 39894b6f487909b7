import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { currentSplits, type DatedSplit } from './current-splits.ts';

function split(source: string, day: string, seenAt: number, numerator = 10): DatedSplit {
  const [provider = '', feed = ''] = source.split('/');
  return { provider, feed, date: localDate(day), seenAt, numerator, denominator: 1 };
}

test('returns a split only once if its date was corrected', () => {
  const splits = [split('files/splits', '2026-06-10', 1), split('files/splits', '2026-06-11', 2)];
  for (const order of [splits, splits.toReversed()]) {
    expect(currentSplits(order).map(({ date }) => date)).toEqual(['2026-06-11']);
  }
});

test('keeps splits with two ratios from one source, and splits with equal ratios weeks apart', () => {
  const [first, other] = [split('yahoo/chart', '2026-06-10', 1), ['2026-06-12', '2026-06-24']];
  expect(currentSplits([first, split('yahoo/chart', other[0] ?? '', 1, 2)])).toHaveLength(2);
  expect(currentSplits([first, split('yahoo/chart', other[1] ?? '', 1)])).toHaveLength(2);
});

test("prefers the split date in an operator's file", () => {
  const splits = [
    split('nasdaq/screener', '2026-06-11', 2),
    split('files/splits', '2026-06-10', 1),
  ];
  expect(currentSplits(splits).map(({ date }) => date)).toEqual(['2026-06-10']);
});

test('prefers the split date that prices show to the announced one', () => {
  const splits = [
    split('nasdaq/calendar-splits', '2026-06-12', 3),
    split('yahoo/chart', '2026-06-11', 1),
  ];
  expect(currentSplits(splits).map(({ date }) => date)).toEqual(['2026-06-11']);
});
