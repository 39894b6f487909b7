import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { readBars } from './read-bars.ts';

function readBar(date: string, high = '12', low = '9') {
  const { bars, bad } = readBars({
    rows: [{}],
    list: null,
    isAdjusted: false,
    entityKeyOf: () => 'MERD',
    read: () => ({
      symbol: 'MERD',
      date: localDate(date),
      open: '10',
      high,
      low,
      close: '11',
      previousClose: null,
      volume: 1e3,
      basisDate: null,
    }),
  });
  return [...bars.rows.map(({ symbol }) => symbol), ...bad.map(({ reason }) => reason)];
}

test.each([
  ['2026-11-20', 'MERD'],
  ['2026-11-27', 'MERD'],
  ['2026-11-26', 'no-session'],
  ['2026-11-21', 'no-session'],
  ['2001-09-12', 'no-session'],
  ['1962-02-22', 'MERD'],
])('reads a bar dated %s as %s, since days without a session have no bars', (date, expected) => {
  expect(readBar(date)).toEqual([expected]);
});

test('rejects a bar whose high is below its low', () => {
  expect(readBar('2026-11-20', '9', '12')).toEqual(['bad-range']);
  expect(readBar('2026-11-20', '11', '11')).toEqual(['MERD']);
});
