/**
 * How often an attack is repeated: `slice` times in `npm test`, `whole` times in
 * `npm run test:faults`, which sets AFTERBELL_WHOLE.
 */
export function runSize(sizes: { slice: number; whole: number }): number {
  return process.env['AFTERBELL_WHOLE'] === '1' ? sizes.whole : sizes.slice;
}

/** The slice has one: a change is judged by itself, and not by what it happens to draw. */
const SLICE_SEED = 20_261_123;

/**
 * The seed of a run: AFTERBELL_SEED to repeat one or to try another, else of its own for a slice and
 * drawn from the clock for the whole. A test prints it.
 */
export function runSeed(): number {
  const given = process.env['AFTERBELL_SEED'];
  if (given !== undefined) return Number(given);
  return runSize({ slice: SLICE_SEED, whole: Date.now() % 2 ** 31 });
}
