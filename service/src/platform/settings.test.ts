import { expect, test } from 'vitest';
import { parseEnvFile } from './env-file.ts';
import { readSettingTable, type SettingsInput } from './settings.ts';
import * as type from './setting-types.ts';

const table = {
  port: {
    name: 'PORT',
    type: type.integer({ min: 1, max: 9, example: '8' }),
    fallback: '8',
    sentence: 'A port.',
    flag: { form: '--port <number>', on: ['start'] },
  },
  apiKey: {
    name: 'API_KEY',
    type: type.list('letters', 'a', (item) => /^[a-z]+$/.test(item)),
    fallback: null,
    sentence: 'A key.',
    secret: true,
  },
  replay: {
    name: 'REPLAY',
    type: type.path('x'),
    fallback: null,
    sentence: 'A folder.',
    flag: { form: '--replay <folder>', on: ['start'] },
    flagOnly: true,
  },
} as const;

function read(input: Partial<SettingsInput>) {
  const nothing = { flags: {}, env: {}, folder: '/here', prefix: 'OURS_', otherNames: ['OURS_X'] };
  return readSettingTable(table, { ...nothing, ...input });
}

function file(content: string): Pick<SettingsInput, 'file'> {
  return { file: { path: '/f.env', content } };
}

test('uses the default for a missing setting, or null if it has no default', () => {
  expect(read({})).toEqual({ values: { port: 8, apiKey: null, replay: null }, problems: [] });
});

test("prefers a setting's flag to the environment, and the environment to the file", () => {
  const all = { flags: { port: '1' }, env: { PORT: '2' }, ...file('PORT=3') };
  expect(read(all).values.port).toBe(1);
  expect(read({ ...all, flags: {} }).values.port).toBe(2);
  expect(read({ ...all, flags: {}, env: {} }).values.port).toBe(3);
});

test("prefers a setting's prefixed name to its plain name", () => {
  expect(read({ env: { PORT: '2', OURS_PORT: '5' } }).values.port).toBe(5);
  expect(read(file('OURS_PORT=4')).values.port).toBe(4);
  expect(read(file('OURS_PORT=4\nPORT=2')).values.port).toBe(4);
  expect(read(file('PORT=2\nOURS_PORT=4')).values.port).toBe(4);
  expect(read(file('PORT=2\nOURS_PORT=')).values.port).toBe(2);
});

test('treats a setting with an empty value as missing', () => {
  const { values, problems } = read({ flags: { port: '' }, env: { PORT: ' ' }, ...file('PORT=') });
  expect(values.port).toBe(8);
  expect(problems).toEqual([]);
});

test('reads a flag-only setting only from its flag', () => {
  expect(read({ env: { REPLAY: 'a' } }).values.replay).toBeNull();
  expect(read({ flags: { replay: 'a' } }).values.replay).toBe('/here/a');
});

test('reports an invalid setting with its origin and a fix', () => {
  expect(read({ env: { PORT: 'many' } }).problems).toEqual([
    {
      problem: 'PORT "many" must be a whole number from 1 to 9 (environment, PORT)',
      fix: 'for example, set PORT=8',
    },
  ]);
});

test('does not repeat an invalid secret in the error message', () => {
  const { problems } = read({ env: { API_KEY: 'Hush7' } });
  expect(problems).toHaveLength(1);
  expect(JSON.stringify(problems)).not.toContain('Hush7');
});

test('rejects unknown names in a settings file and unknown prefixed environment variables, and suggests the closest match', () => {
  const env = { OURS_PROT: '1', OURS_X: 'left alone', SOMEBODY_ELSES: '1' };
  const { problems } = read({ env, ...file('PROT=1\nQUITE_OTHER=1') });
  expect(problems).toEqual([
    { problem: 'unknown setting PROT (/f.env line 1)', fix: 'did you mean PORT?' },
    {
      problem: 'unknown setting QUITE_OTHER (/f.env line 2)',
      fix: 'remove it, or see docs/settings.md for all names',
    },
    { problem: 'unknown setting OURS_PROT (environment)', fix: 'did you mean PORT?' },
  ]);
});

test('reports all invalid settings together', () => {
  expect(read({ env: { PORT: '0', API_KEY: '1', OURS_A: '1' } }).problems).toHaveLength(3);
});

test('parses comments, quotes and exports in a settings file and reports invalid lines', () => {
  const content =
    '\uFEFF# remark\n\nexport A=1\r\n B = "two # words"\nC=\'x=y\'\nnot a line\nD=a#b';
  expect(parseEnvFile(content)).toEqual({
    lines: [
      { lineNumber: 3, name: 'A', value: '1' },
      { lineNumber: 4, name: 'B', value: 'two # words' },
      { lineNumber: 5, name: 'C', value: 'x=y' },
      { lineNumber: 7, name: 'D', value: 'a#b' },
    ],
    invalidLines: [6],
  });
  expect(read(file('PORT=1\nnonsense')).problems[0]?.problem).toBe(
    '/f.env line 2 is not NAME=value',
  );
});
