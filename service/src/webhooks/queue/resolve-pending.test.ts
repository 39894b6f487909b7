import { expect, test } from 'vitest';
import { resolvePending } from './resolve-pending.ts';

test.each([
  ['creates a delivery if none is pending', null, { kind: 'open' }],
  [
    'adds the change to a pending delivery that no receiver can have seen',
    { id: 'del_1', maybeSent: false },
    { kind: 'absorb', id: 'del_1' },
  ],
  [
    'supersedes a pending delivery that a receiver may have seen',
    { id: 'del_1', maybeSent: true },
    { kind: 'supersede', id: 'del_1' },
  ],
])('%s', (_, waiting, expected) => {
  expect(resolvePending(waiting)).toEqual(expected);
});
