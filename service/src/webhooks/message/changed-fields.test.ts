import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

const FIELDS = ['date', 'time', 'epsEstimate', 'eps'];
const A = { date: '2026-11-20', time: 'time-pre-market', epsEstimate: 1.2, eps: null };
const B = { ...A, date: '2026-11-21' };

test.each([
  [
    'lists every field that is not null for a new receiver',
    A,
    null,
    [],
    ['date', 'time', 'epsEstimate'],
  ],
  ['lists fields that differ from the acknowledged data', B, A, [], ['date']],
  ['lists a field that became null', { ...A, epsEstimate: null }, A, [], ['epsEstimate']],
  ['lists a field that became known', { ...A, eps: 0 }, A, [], ['eps']],
  [
    'lists no field if the data changed back to the acknowledged data before any attempt',
    A,
    A,
    [],
    [],
  ],
  [
    'lists fields that the receiver may have seen if the data changed back after an attempt',
    A,
    A,
    ['date'],
    ['date'],
  ],
  [
    'lists changed fields and those that the receiver may have seen, in the fixed order',
    { ...A, eps: 1 },
    A,
    ['date'],
    ['date', 'eps'],
  ],
  ['leaves out a field that the template does not have', A, A, ['gone'], []],
])('%s', (_, data, answered, named, expected) => {
  expect(changedFields(FIELDS, data, { acknowledged: answered, maybeSeen: named })).toEqual(
    expected,
  );
});
