/**
 * Returns the size of a run, such as the number of repetitions: `slice` in `npm test`, and `whole`
 * in `npm run test:faults`, which sets AFTERBELL_WHOLE.
 */
export function runSize<T>(sizes: { slice: T; whole: T }): T {
  return process.env['AFTERBELL_WHOLE'] === '1' ? sizes.whole : sizes.slice;
}

/** A fixed seed, so that the test result for a code change does not depend on a random draw. */
const SLICE_SEED = 20_261_123;

/**
 * Returns a run's seed: AFTERBELL_SEED to repeat a run, otherwise a fixed seed for a short run and
 * a random seed for a whole run. Tests print it.
 */
export function runSeed(): number {
  const configuredSeed = process.env['AFTERBELL_SEED'];
  if (configuredSeed !== undefined) return Number(configuredSeed);
  return runSize({ slice: SLICE_SEED, whole: Date.now() % 2 ** 31 });
}
