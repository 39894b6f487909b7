import { expect, test } from 'vitest';
import { formatSpan } from './span.ts';

test('formats a duration in the largest unit that it contains at least twice', () => {
  expect([45, 119, 120, 7_199, 7_200, 172_799, 172_800].map(formatSpan)).toEqual([
    '45 s',
    '119 s',
    '2 min',
    '120 min',
    '2 h',
    '48 h',
    '2 d',
  ]);
});
