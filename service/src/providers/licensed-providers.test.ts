import { expect, test } from 'vitest';
import { licensedProviders } from './licensed-providers.ts';
import { providers } from './registry.gen.ts';

function names(licensedSourcesOnly: boolean): string[] {
  return licensedProviders(providers, { licensedSourcesOnly }).map(({ name }) => name);
}

test('a public service takes in what may be shown, with a contract where one can be had', () => {
  expect(names(true)).toEqual(expect.arrayContaining(['sec', 'us-agencies', 'files', 'finnhub']));
  expect(names(true)).not.toContain('nasdaq');
  expect(names(true)).not.toContain('yahoo');
});

test('anyone else takes in everything', () => {
  expect(names(false)).toEqual(providers.map(({ name }) => name));
});
