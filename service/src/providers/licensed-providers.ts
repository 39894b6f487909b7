import type { Provider, Redistribution } from './provider.ts';

/**
 * Whether a public service can use the source at all: its terms allow it, or a contract can be had.
 * Whether there is such a contract only the operator knows.
 */
export function mayBeLicensed(redistribution: Redistribution): boolean {
  return redistribution !== 'not-granted';
}

/** The sources whose answers are taken in: all, or those that a public service can use. */
export function licensedProviders(
  providers: readonly Provider[],
  { licensedSourcesOnly }: { licensedSourcesOnly: boolean },
): readonly Provider[] {
  if (!licensedSourcesOnly) return providers;
  return providers.filter(({ redistribution }) => mayBeLicensed(redistribution));
}
