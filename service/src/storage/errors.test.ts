import { expect, test } from 'vitest';
import { engineReason, isStoreTrouble, SqlError, StoreUnavailableError } from './errors.ts';

test.each(['53100', '53200', '58030', '57014', '40001', '40P01', '55P03', '25006'])(
  'treats SQLSTATE %s as a temporary failure',
  (sqlState) => {
    expect(isStoreTrouble(new SqlError({ message: 'refused', sqlState }))).toBe(true);
  },
);

test.each(['23505', '42601', '22P02', 'XX001', '25P02'])(
  'treats SQLSTATE %s as a permanent failure',
  (sqlState) => {
    expect(isStoreTrouble(new SqlError({ message: 'refused', sqlState }))).toBe(false);
  },
);

test('treats an unavailable store as a temporary failure, but not other errors', () => {
  expect(isStoreTrouble(new StoreUnavailableError('gone'))).toBe(true);
  expect(isStoreTrouble(new Error('ours'))).toBe(false);
});

test('describes file system errors from the embedded engine', () => {
  const thrown = (errno: number) => ({ name: 'ErrnoError', errno });
  expect(engineReason(thrown(51))).toBe('ENOSPC: no space left on device');
  expect(engineReason(thrown(44))).toBe('ErrnoError 44');
  expect(engineReason(new Error('ours'))).toBe('ours');
});
