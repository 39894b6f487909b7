import { expect, test } from 'vitest';
import { licensedProviders } from './licensed-providers.ts';
import { providers } from './registry.gen.ts';

function names(licensedSourcesOnly: boolean): string[] {
  return licensedProviders(providers, { licensedSourcesOnly }).map(({ name }) => name);
}

test('limits a public service to sources that allow redistribution or sell a license for it', () => {
  expect(names(true)).toEqual(expect.arrayContaining(['sec', 'us-agencies', 'files', 'finnhub']));
  expect(names(true)).not.toContain('nasdaq');
  expect(names(true)).not.toContain('yahoo');
});

test('selects every source for a service that is not public', () => {
  expect(names(false)).toEqual(providers.map(({ name }) => name));
});
