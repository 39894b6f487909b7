import { expect, test } from 'vitest';
import * as type from './setting-types.ts';
import type { SettingType } from './setting-types.ts';

const port = type.integer({ min: 0, max: 65_535, example: '8080' });
const level = type.choice(['debug', 'info']);
const names = type.list('names', 'a,b', (item) => /^[a-z]+$/.test(item));
const web = type.url(['http', 'https'], 'https://example.com');

const GOOD: [string, SettingType<unknown>, string, unknown][] = [
  ['a whole number', port, '0', 0],
  ['the greatest number', port, '65535', 65_535],
  ['a choice in any case', level, 'INFO', 'info'],
  ['a list with blanks, holes and repeats', names, ' a, b ,,a', ['a', 'b']],
  ['a relative path', type.path('x'), 'data/x', '/home/me/data/x'],
  ['an absolute path', type.path('x'), '/var/x', '/var/x'],
  ['an instant with an offset', type.instant('x'), '2026-02-02T09:00:00-05:00', 1_770_040_800_000],
  ['a URL, its last slash taken off', web, 'https://example.com/', 'https://example.com'],
  ['a URL with a path', web, 'http://example.com/a', 'http://example.com/a'],
  ['any text', type.text(), 'Über & Co.', 'Über & Co.'],
];

test.each(GOOD)('parses a setting value: %s', (_, settingType, input, value) => {
  expect(settingType.parse(input, '/home/me')).toEqual({ value });
});

const BAD: [string, SettingType<unknown>, string][] = [
  ['a number past the end', port, '65536'],
  ['a negative number', port, '-1'],
  ['a fraction', port, '80.5'],
  ['a number in another notation', port, '0x50'],
  ['a choice not offered', level, 'loud'],
  ['a list with one bad item', names, 'a,B2'],
  ['a path with a NUL byte', type.path('x'), 'a\0b'],
  ['a day in place of an instant', type.instant('x'), '2026-02-02'],
  ['an instant without an offset', type.instant('x'), '2026-02-02T09:00:00'],
  ['a URL of another scheme', web, 'ftp://example.com'],
  ['a URL without a host', web, 'http://'],
  ['no URL at all', web, 'example.com'],
];

test.each(BAD)('rejects a setting value: %s', (_, settingType, input) => {
  expect(settingType.parse(input, '/home/me')).toBeNull();
});
