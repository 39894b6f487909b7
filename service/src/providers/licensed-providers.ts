import type { Provider, Redistribution } from './provider.ts';

/**
 * Returns true if a public service may be able to use the source: its terms allow redistribution,
 * or such a contract is for sale. Only the operator knows whether there is a contract.
 */
export function mayBeLicensed(redistribution: Redistribution): boolean {
  return redistribution !== 'not-granted';
}

/**
 * Returns the providers to ingest: all of them, or only the ones that a public service may be able
 * to use.
 */
export function licensedProviders(
  providers: readonly Provider[],
  { licensedSourcesOnly }: { licensedSourcesOnly: boolean },
): readonly Provider[] {
  if (!licensedSourcesOnly) return providers;
  return providers.filter(({ redistribution }) => mayBeLicensed(redistribution));
}
