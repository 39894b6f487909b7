import { expect, test } from 'vitest';
import { createSandbox } from './index.ts';
import { readSandboxOptions, sandboxSettings } from './settings.ts';

const NOW = Date.parse('2026-11-20T22:30:00Z');

test("uses the simulated market's default size, years and seed without settings", () => {
  expect(readSandboxOptions(() => undefined)).toEqual({
    seed: 1,
    companies: 560,
    years: null,
    faults: new Set(),
  });
});

test("reads the simulated market's size, years and seed from the settings", () => {
  const settings = new Map([
    ['SANDBOX_SYMBOLS', '5000'],
    ['SANDBOX_YEARS', '5'],
    ['SANDBOX_SEED', '77'],
    ['SANDBOX_FAULTS', 'cut, amendment'],
  ]);
  const options = readSandboxOptions((name) => settings.get(name));
  expect(options).toEqual({
    seed: 77,
    companies: 5000,
    years: 5,
    faults: new Set(['cut', 'amendment']),
  });
});

test.each([
  ['SANDBOX_SYMBOLS', ['20', '5000'], ['19', '5001', '1e3', '-20', 'many', '20.5', '']],
  ['SANDBOX_YEARS', ['1', '5'], ['0', '6', '2.5', 'all']],
  ['SANDBOX_SEED', ['0', '2147483647'], ['2147483648', '-1', 'x']],
])('accepts only values within the bounds for the setting %s', (name, accepted, rejected) => {
  const setting = sandboxSettings.find((candidate) => candidate.name === name);
  expect(accepted.filter((value) => setting?.accepts?.(value) !== true)).toEqual([]);
  expect(rejected.filter((value) => setting?.accepts?.(value) !== false)).toEqual([]);
  expect(setting?.fix).toContain(`set ${name} to a whole number from`);
});

test('creates a different market for a different seed, and the same market for the same seed', () => {
  const textsOf = (seed: number) => {
    const responses = createSandbox({ companies: 30, seed }).generateResponses?.(null, NOW) ?? [];
    return [...responses].map(({ text }) => text);
  };
  const firstTexts = textsOf(5);
  expect(textsOf(5)).toEqual(firstTexts);
  expect(textsOf(6).filter((text) => firstTexts.includes(text))).toEqual([]);
});
