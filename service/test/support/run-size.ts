/**
 * How often an attack is repeated: `slice` times in `npm test`, `whole` times in
 * `npm run test:faults`, which sets AFTERBELL_WHOLE.
 */
export function runSize(sizes: { slice: number; whole: number }): number {
  return process.env['AFTERBELL_WHOLE'] === '1' ? sizes.whole : sizes.slice;
}

/** The seed of a run: AFTERBELL_SEED to repeat one, else drawn from the clock. A test prints it. */
export function runSeed(): number {
  const given = process.env['AFTERBELL_SEED'];
  return given === undefined ? Date.now() % 2 ** 31 : Number(given);
}
