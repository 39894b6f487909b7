import { expect, test } from 'vitest';
import { engineReason, isStoreTrouble, SqlError, StoreUnavailableError } from './errors.ts';

test.each(['53100', '53200', '58030', '57014', '40001', '40P01', '55P03', '25006'])(
  'a statement refused with %s may succeed later',
  (sqlState) => {
    expect(isStoreTrouble(new SqlError({ message: 'refused', sqlState }))).toBe(true);
  },
);

test.each(['23505', '42601', '22P02', 'XX001', '25P02'])(
  'one refused with %s would be refused again',
  (sqlState) => {
    expect(isStoreTrouble(new SqlError({ message: 'refused', sqlState }))).toBe(false);
  },
);

test('a store that is away is trouble, an error of ours is not', () => {
  expect(isStoreTrouble(new StoreUnavailableError('gone'))).toBe(true);
  expect(isStoreTrouble(new Error('ours'))).toBe(false);
});

test('an error of the file system of the embedded engine, which is none, is told in words', () => {
  const thrown = (errno: number) => ({ name: 'ErrnoError', errno });
  expect(engineReason(thrown(51))).toBe('ENOSPC: no space left on device');
  expect(engineReason(thrown(44))).toBe('ErrnoError 44');
  expect(engineReason(new Error('ours'))).toBe('ours');
});
