import { expect, test } from 'vitest';
import { type KeySettingsInput, DEFAULT_KEY_SETTINGS, parseKeySettings } from './key-settings.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

test('keeps key settings that are missing from the input', () => {
  const current = { ...DEFAULT_KEY_SETTINGS, name: 'N', expiresAt: NOW - 1 };
  expect(parseKeySettings({}, current, NOW)).toEqual({ kind: 'settings', settings: current });
});

test('normalizes and deduplicates the allowed CIDR blocks', () => {
  const input = { allowedCidrs: ['2001:DB8::/32', '10.0.0.1', '10.0.0.1/32'] };
  const allowedCidrs = ['2001:db8::/32', '10.0.0.1/32'];
  expect(parseKeySettings(input, DEFAULT_KEY_SETTINGS, NOW)).toMatchObject({
    settings: { allowedCidrs },
  });
});

test.each<[string, KeySettingsInput]>([
  ['scopes', { scopes: [] }],
  ['scopes', { scopes: ['read', 'admin'] }],
  ['allowedCidrs', { allowedCidrs: [] }],
  ['allowedCidrs', { allowedCidrs: ['10.1.2.3/8'] }],
  ['allowedCidrs', { allowedCidrs: Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`) }],
  ['expiresAt', { expiresAt: NOW }],
  ['name', { name: 'x'.repeat(101) }],
  ['name', { name: 'a\nb' }],
])('rejects key settings with an invalid %s: %j', (parameter, input) => {
  expect(parseKeySettings(input, DEFAULT_KEY_SETTINGS, NOW)).toMatchObject({
    kind: 'invalid',
    parameter,
  });
});

test('reports which CIDR block was rejected', () => {
  const parsed = parseKeySettings(
    { allowedCidrs: ['10.0.0.0/8', 'home'] },
    DEFAULT_KEY_SETTINGS,
    NOW,
  );
  expect(parsed).toMatchObject({
    detail: expect.stringContaining('home is not a CIDR block') as string,
  });
});
