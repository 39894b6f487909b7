import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

const FIELDS = ['date', 'time', 'epsEstimate', 'eps'];
const A = { date: '2026-11-20', time: 'time-pre-market', epsEstimate: 1.2, eps: null };
const B = { ...A, date: '2026-11-21' };

test.each([
  ['first sight names every field that is not null', A, null, [], ['date', 'time', 'epsEstimate']],
  ['what differs from the data last answered is named', B, A, [], ['date']],
  ['a field that became null is named', { ...A, epsEstimate: null }, A, [], ['epsEstimate']],
  ['a field that became known is named', { ...A, eps: 0 }, A, [], ['eps']],
  ['back at the data last answered before any attempt, nothing is named', A, A, [], []],
  ['back after an attempt, what the receiver may hold is named', A, A, ['date'], ['date']],
  ['both are named, in the fixed order', { ...A, eps: 1 }, A, ['date'], ['date', 'eps']],
  ['a field that the template does not have is left out', A, A, ['gone'], []],
])('%s', (_, data, answered, named, expected) => {
  expect(changedFields(FIELDS, data, { acknowledged: answered, maybeSeen: named })).toEqual(
    expected,
  );
});
