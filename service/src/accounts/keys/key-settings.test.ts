import { expect, test } from 'vitest';
import { type GivenTerms, PLAIN_TERMS, readTerms } from './key-settings.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

test('what is not given stays as it stands', () => {
  const standing = { ...PLAIN_TERMS, name: 'N', expiresAt: NOW - 1 };
  expect(readTerms({}, standing, NOW)).toEqual({ kind: 'terms', terms: standing });
});

test('blocks are kept in their one spelling, each once', () => {
  const given = { allowedCidrs: ['2001:DB8::/32', '10.0.0.1', '10.0.0.1/32'] };
  const allowedCidrs = ['2001:db8::/32', '10.0.0.1/32'];
  expect(readTerms(given, PLAIN_TERMS, NOW)).toMatchObject({ terms: { allowedCidrs } });
});

test.each<[string, GivenTerms]>([
  ['scopes', { scopes: [] }],
  ['scopes', { scopes: ['read', 'admin'] }],
  ['allowedCidrs', { allowedCidrs: [] }],
  ['allowedCidrs', { allowedCidrs: ['10.1.2.3/8'] }],
  ['allowedCidrs', { allowedCidrs: Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`) }],
  ['expiresAt', { expiresAt: NOW }],
  ['name', { name: 'x'.repeat(101) }],
  ['name', { name: 'a\nb' }],
])('bad %s is refused: %j', (parameter, given) => {
  expect(readTerms(given, PLAIN_TERMS, NOW)).toMatchObject({ kind: 'invalid', parameter });
});

test('a refused block is named', () => {
  const read = readTerms({ allowedCidrs: ['10.0.0.0/8', 'home'] }, PLAIN_TERMS, NOW);
  expect(read).toMatchObject({ detail: expect.stringContaining('home is no block') as string });
});
