import { createRequire } from 'node:module';
import type fastCheck from 'fast-check';
import { runSeed } from './run-size.ts';

// What tests import as `fast-check` (vitest.config.ts): it draws from the seed of the run.
const fc = createRequire(import.meta.url)('fast-check') as { default: typeof fastCheck };
fc.default.configureGlobal({ seed: runSeed() });

export default fc.default;
