import type { Provider, Redistribution } from './provider.ts';

/**
 * Returns true if a public service might be allowed to use the source: its terms permit
 * redistribution, or the right is sold under a contract. Only the operator knows whether there is a
 * contract.
 */
export function mayBeLicensed(redistribution: Redistribution): boolean {
  return redistribution !== 'not-granted';
}

/**
 * Returns the providers to ingest: all of them, or only those that a public service might be
 * allowed to use.
 */
export function licensedProviders(
  providers: readonly Provider[],
  { licensedSourcesOnly }: { licensedSourcesOnly: boolean },
): readonly Provider[] {
  if (!licensedSourcesOnly) return providers;
  return providers.filter(({ redistribution }) => mayBeLicensed(redistribution));
}
