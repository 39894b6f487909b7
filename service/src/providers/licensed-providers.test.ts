import { expect, test } from 'vitest';
import { licensedProviders } from './licensed-providers.ts';
import { providers } from './registry.gen.ts';

function names(licensedSourcesOnly: boolean): string[] {
  return licensedProviders(providers, { licensedSourcesOnly }).map(({ name }) => name);
}

test('selects for a public service only sources that allow redistribution or sell a license', () => {
  expect(names(true)).toEqual(expect.arrayContaining(['sec', 'us-agencies', 'files', 'finnhub']));
  expect(names(true)).not.toContain('nasdaq');
  expect(names(true)).not.toContain('yahoo');
});

test('selects every source for any other service', () => {
  expect(names(false)).toEqual(providers.map(({ name }) => name));
});
