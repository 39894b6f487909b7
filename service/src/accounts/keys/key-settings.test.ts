import { expect, test } from 'vitest';
import { type KeySettingsInput, DEFAULT_KEY_SETTINGS, parseKeySettings } from './key-settings.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

test('what is not given stays as it stands', () => {
  const standing = { ...DEFAULT_KEY_SETTINGS, name: 'N', expiresAt: NOW - 1 };
  expect(parseKeySettings({}, standing, NOW)).toEqual({ kind: 'settings', settings: standing });
});

test('blocks are kept in their one spelling, each once', () => {
  const given = { allowedCidrs: ['2001:DB8::/32', '10.0.0.1', '10.0.0.1/32'] };
  const allowedCidrs = ['2001:db8::/32', '10.0.0.1/32'];
  expect(parseKeySettings(given, DEFAULT_KEY_SETTINGS, NOW)).toMatchObject({
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
])('bad %s is refused: %j', (parameter, given) => {
  expect(parseKeySettings(given, DEFAULT_KEY_SETTINGS, NOW)).toMatchObject({
    kind: 'invalid',
    parameter,
  });
});

test('a refused block is named', () => {
  const read = parseKeySettings(
    { allowedCidrs: ['10.0.0.0/8', 'home'] },
    DEFAULT_KEY_SETTINGS,
    NOW,
  );
  expect(read).toMatchObject({ detail: expect.stringContaining('home is no block') as string });
});
