import type { Provider, Redistribution } from './provider.ts';

/**
 * True if a public service can use the source: its terms allow it, or a contract is available. Only
 * the operator knows whether such a contract exists.
 */
export function mayBeLicensed(redistribution: Redistribution): boolean {
  return redistribution !== 'not-granted';
}

/** The providers to ingest: all of them, or only those that a public service can use. */
export function licensedProviders(
  providers: readonly Provider[],
  { licensedSourcesOnly }: { licensedSourcesOnly: boolean },
): readonly Provider[] {
  if (!licensedSourcesOnly) return providers;
  return providers.filter(({ redistribution }) => mayBeLicensed(redistribution));
}
