import { expect, test } from 'vitest';
import { keyRecordOf } from '../../../test/support/key-record.ts';
import type { ApiKey } from './api-key.ts';
import { keyRefusal } from './key-refusal.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const request = { now: NOW, address: '192.0.2.1', scope: 'read' } as const;
const ELSEWHERE = ['198.51.100.0/24'];

const CASES: readonly [string, Partial<ApiKey>, ReturnType<typeof keyRefusal>][] = [
  ['accepts an active key', {}, null],
  ['treats a revoked key as unknown', { revokedAt: NOW }, 'invalid-api-key'],
  ['rejects a key at its expiry', { expiresAt: NOW }, 'invalid-api-key'],
  ['accepts a key before its expiry', { expiresAt: NOW + 1 }, null],
  ['reports a disabled key', { disabledAt: NOW }, 'api-key-disabled'],
  ['rejects keys of a suspended customer', { suspendedAt: NOW }, 'customer-suspended'],
  ['rejects an address outside the CIDR list', { allowedCidrs: ELSEWHERE }, 'ip-not-allowed'],
  [
    'accepts an address inside the CIDR list',
    { allowedCidrs: [...ELSEWHERE, '192.0.2.0/24'] },
    null,
  ],
  ['rejects every address with an empty CIDR list', { allowedCidrs: [] }, 'ip-not-allowed'],
  ['rejects reads with a management key', { scopes: ['manage'] }, 'insufficient-scope'],
  ['accepts reads with both scopes', { scopes: ['read', 'manage'] }, null],
  ['reports expiry before disabling', { expiresAt: NOW, disabledAt: NOW }, 'invalid-api-key'],
  [
    'reports disabling before suspension',
    { disabledAt: NOW, suspendedAt: NOW },
    'api-key-disabled',
  ],
  [
    'reports the address before the scope',
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
