import { createRequire } from 'node:module';
import type fastCheck from 'fast-check';
import { runSeed } from './run-size.ts';

// The module that tests import as `fast-check` (see vitest.config.ts). It uses the run's seed.
const fc = createRequire(import.meta.url)('fast-check') as { default: typeof fastCheck };
fc.default.configureGlobal({ seed: runSeed() });

export default fc.default;
