/**
 * Number of repetitions: `slice` in `npm test`, `whole` in `npm run test:faults`, which sets
 * AFTERBELL_WHOLE.
 */
export function runSize(sizes: { slice: number; whole: number }): number {
  return process.env['AFTERBELL_WHOLE'] === '1' ? sizes.whole : sizes.slice;
}

/** Fixed, so that the result of a change does not depend on a random draw. */
const SLICE_SEED = 20_261_123;

/**
 * The seed of a run: AFTERBELL_SEED to repeat a run, otherwise fixed for a slice and random for a
 * whole run. Tests print it.
 */
export function runSeed(): number {
  const configuredSeed = process.env['AFTERBELL_SEED'];
  if (configuredSeed !== undefined) return Number(configuredSeed);
  return runSize({ slice: SLICE_SEED, whole: Date.now() % 2 ** 31 });
}
