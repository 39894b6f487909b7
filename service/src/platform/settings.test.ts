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

test('a setting nobody gives has its default, or null when it has none', () => {
  expect(read({})).toEqual({ values: { port: 8, apiKey: null, replay: null }, problems: [] });
});

test('a flag wins over the environment, which wins over the file', () => {
  const all = { flags: { port: '1' }, env: { PORT: '2' }, ...file('PORT=3') };
  expect(read(all).values.port).toBe(1);
  expect(read({ ...all, flags: {} }).values.port).toBe(2);
  expect(read({ ...all, flags: {}, env: {} }).values.port).toBe(3);
});

test('the name with our prefix wins over the plain one', () => {
  expect(read({ env: { PORT: '2', OURS_PORT: '5' } }).values.port).toBe(5);
  expect(read(file('OURS_PORT=4')).values.port).toBe(4);
  expect(read(file('OURS_PORT=4\nPORT=2')).values.port).toBe(4);
  expect(read(file('PORT=2\nOURS_PORT=4')).values.port).toBe(4);
  expect(read(file('PORT=2\nOURS_PORT=')).values.port).toBe(2);
});

test('an empty value counts as not given', () => {
  const { values, problems } = read({ flags: { port: '' }, env: { PORT: ' ' }, ...file('PORT=') });
  expect(values.port).toBe(8);
  expect(problems).toEqual([]);
});

test('a setting that is a flag alone is not read from elsewhere', () => {
  expect(read({ env: { REPLAY: 'a' } }).values.replay).toBeNull();
  expect(read({ flags: { replay: 'a' } }).values.replay).toBe('/here/a');
});

test('a bad value is named with where it came from and how to mend it', () => {
  expect(read({ env: { PORT: 'many' } }).problems).toEqual([
    {
      problem: 'PORT "many" must be a whole number from 1 to 9 (environment, PORT)',
      mend: 'set for example PORT=8',
    },
  ]);
});

test('a bad secret is not repeated', () => {
  const { problems } = read({ env: { API_KEY: 'Hush7' } });
  expect(problems).toHaveLength(1);
  expect(JSON.stringify(problems)).not.toContain('Hush7');
});

test('unknown names are errors in the file and under our prefix, with the nearest name', () => {
  const env = { OURS_PROT: '1', OURS_X: 'left alone', SOMEBODY_ELSES: '1' };
  const { problems } = read({ env, ...file('PROT=1\nQUITE_OTHER=1') });
  expect(problems).toEqual([
    { problem: 'there is no setting PROT (/f.env line 1)', mend: 'did you mean PORT?' },
    {
      problem: 'there is no setting QUITE_OTHER (/f.env line 2)',
      mend: 'take it out, or see docs/settings.md for all names',
    },
    { problem: 'there is no setting OURS_PROT (environment)', mend: 'did you mean PORT?' },
  ]);
});

test('every problem is reported at once', () => {
  expect(read({ env: { PORT: '0', API_KEY: '1', OURS_A: '1' } }).problems).toHaveLength(3);
});

test('a settings file has remarks, quotes and exports, and says which lines are neither', () => {
  const content =
    '\uFEFF# remark\n\nexport A=1\r\n B = "two # words"\nC=\'x=y\'\nnot a line\nD=a#b';
  expect(parseEnvFile(content)).toEqual({
    lines: [
      { lineNumber: 3, name: 'A', value: '1' },
      { lineNumber: 4, name: 'B', value: 'two # words' },
      { lineNumber: 5, name: 'C', value: 'x=y' },
      { lineNumber: 7, name: 'D', value: 'a#b' },
    ],
    badLines: [6],
  });
  expect(read(file('PORT=1\nnonsense')).problems[0]?.problem).toBe(
    '/f.env line 2 is not NAME=value',
  );
});
