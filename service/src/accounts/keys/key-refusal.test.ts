import { expect, test } from 'vitest';
import { keyRecordOf } from '../../../test/support/key-record.ts';
import type { ApiKey } from './api-key.ts';
import { keyRefusal } from './key-refusal.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const request = { now: NOW, address: '192.0.2.1', scope: 'read' } as const;
const ELSEWHERE = ['198.51.100.0/24'];

const CASES: readonly [string, Partial<ApiKey>, ReturnType<typeof keyRefusal>][] = [
  ['a key in good standing opens', {}, null],
  ['a revoked key is as good as unknown', { revokedAt: NOW }, 'invalid-api-key'],
  ['a key is expired at the instant it names', { expiresAt: NOW }, 'invalid-api-key'],
  ['and works until then', { expiresAt: NOW + 1 }, null],
  ['a disabled key says so', { disabledAt: NOW }, 'api-key-disabled'],
  ['a suspended customer has no key', { suspendedAt: NOW }, 'customer-suspended'],
  ['an address outside its blocks is refused', { allowedCidrs: ELSEWHERE }, 'ip-not-allowed'],
  ['one inside is not', { allowedCidrs: [...ELSEWHERE, '192.0.2.0/24'] }, null],
  ['a list without blocks lets nobody in', { allowedCidrs: [] }, 'ip-not-allowed'],
  ['a management key does not read', { scopes: ['manage'] }, 'insufficient-scope'],
  ['a key of both scopes does', { scopes: ['read', 'manage'] }, null],
  ['expiry comes before disabling', { expiresAt: NOW, disabledAt: NOW }, 'invalid-api-key'],
  ['disabling before the customer', { disabledAt: NOW, suspendedAt: NOW }, 'api-key-disabled'],
  [
    'the address before the scope',
    { allowedCidrs: ELSEWHERE, scopes: ['manage'] },
    'ip-not-allowed',
  ],
];

test.each(CASES)('%s', (_, change, expected) => {
  expect(keyRefusal(keyRecordOf('eds_live_x', change), request)).toBe(expected);
});

test('rejects management calls with a read key', () => {
  const key = keyRecordOf('eds_live_x');
  expect(keyRefusal(key, { ...request, scope: 'manage' })).toBe('insufficient-scope');
});
