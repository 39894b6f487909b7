import type { SourceSettings } from '../settings.ts';

/** The sources that settings may name. */
export const knownSources: readonly SourceSettings[] = [];
