import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAllowed, type LockFile, refusedLicences } from './licences.ts';

test('allows the license of every shipped package', () => {
  const file = new URL('../package-lock.json', import.meta.url);
  expect(refusedLicences(JSON.parse(readFileSync(file, 'utf8')) as LockFile)).toEqual([]);
});

test('reports a shipped package with a missing or disallowed license, and ignores development packages', () => {
  const packages = {
    '': { license: 'Apache-2.0' },
    service: { version: '1.0.0' },
    'node_modules/@afterbell/service': { link: true },
    'node_modules/fine': { version: '1.0.0', license: 'MIT' },
    'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0-only', dev: true },
    'node_modules/fine/node_modules/@a/bound': { version: '2.0.0', license: 'AGPL-3.0-only' },
    'node_modules/silent': { version: '3.0.0' },
  };
  expect(refusedLicences({ packages })).toEqual([
    '@a/bound 2.0.0: AGPL-3.0-only',
    'silent 3.0.0: no licence is stated',
  ]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND ISC', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only OR MIT AND LGPL-3.0-only', false],
  ['(MIT AND GPL-3.0-only) OR (ISC)', false],
  ['SEE LICENSE IN LICENSE.md', false],
])('evaluates the license %s as allowed: %s', (expression, expected) => {
  expect(isAllowed(expression)).toBe(expected);
});
