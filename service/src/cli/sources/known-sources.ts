import { providers } from '../../providers/registry.gen.ts';
import type { SourceSettings } from '../../config/settings.ts';

/** The sources that settings may name: every provider of this binary. */
export const knownSources: readonly SourceSettings[] = providers;
