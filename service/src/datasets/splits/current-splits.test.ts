import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { currentSplits, type DatedSplit } from './current-splits.ts';

function split(source: string, day: string, seenAt: number, numerator = 10): DatedSplit {
  const [provider = '', feed = ''] = source.split('/');
  return { provider, feed, date: localDate(day), seenAt, numerator, denominator: 1 };
}

test('a day that a source corrected does not make two splits of one', () => {
  const told = [split('files/splits', '2026-06-10', 1), split('files/splits', '2026-06-11', 2)];
  for (const order of [told, told.toReversed()]) {
    expect(currentSplits(order).map(({ date }) => date)).toEqual(['2026-06-11']);
  }
});

test('two ratios of one source, or one weeks apart, are two splits', () => {
  const [first, other] = [split('yahoo/chart', '2026-06-10', 1), ['2026-06-12', '2026-06-24']];
  expect(currentSplits([first, split('yahoo/chart', other[0] ?? '', 1, 2)])).toHaveLength(2);
  expect(currentSplits([first, split('yahoo/chart', other[1] ?? '', 1)])).toHaveLength(2);
});

test("the operator's day stands before that of a source", () => {
  const told = [split('nasdaq/screener', '2026-06-11', 2), split('files/splits', '2026-06-10', 1)];
  expect(currentSplits(told).map(({ date }) => date)).toEqual(['2026-06-10']);
});
