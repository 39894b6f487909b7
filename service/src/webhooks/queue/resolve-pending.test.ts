import { expect, test } from 'vitest';
import { resolvePending } from './resolve-pending.ts';

test.each([
  ['without one that waits, one is opened', null, { kind: 'open' }],
  [
    'one that no receiver can know takes the change in',
    { id: 'del_1', maybeSent: false },
    { kind: 'absorb', id: 'del_1' },
  ],
  [
    'one that a receiver may know is superseded',
    { id: 'del_1', maybeSent: true },
    { kind: 'supersede', id: 'del_1' },
  ],
])('%s', (_, waiting, expected) => {
  expect(resolvePending(waiting)).toEqual(expected);
});
