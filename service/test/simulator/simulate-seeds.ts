import { type InlineStore, openInlineStore } from './world/inline-store.ts';

/**
 * A store becomes slower as simulated days accumulate. New stores are faster and start in different
 * years.
 */
const DAYS_PER_SEED = 100;

export interface SeedsOptions {
  days: number;
  firstSeed: number;
  /** Number of seeds over which the days are spread. By default, each has 100 days. */
  seeds?: number | undefined;
  /** Runs one seed on an empty store. */
  run(
    store: InlineStore,
    options: { seed: number; days: number },
  ): Promise<{ days: number; violations: string[]; counts: Record<string, number> }>;
  /** Prints a line of progress. */
  print(line: string): void;
  /** Returns the time in milliseconds. */
  nowMs(): number;
}

/** Runs one seed after another, prints the progress and each broken rule, and returns the sums. */
export async function simulateSeeds(options: SeedsOptions): Promise<{
  seeds: number;
  days: number;
  failedSeeds: number[];
  totals: Record<string, number>;
}> {
  const { days, firstSeed, seeds = Math.ceil(days / DAYS_PER_SEED), run, print, nowMs } = options;
  const totals: Record<string, number> = {};
  const failedSeeds: number[] = [];
  const startedMs = nowMs();
  let daysDone = 0;
  for (let n = 0; n < seeds; n += 1) {
    const seed = firstSeed + n;
    const share = Math.floor((days * (n + 1)) / seeds) - Math.floor((days * n) / seeds);
    const store = await openInlineStore();
    const result = await run(store, { seed, days: share });
    await store.close();
    daysDone += result.days;
    for (const [name, count] of Object.entries(result.counts)) {
      totals[name] = (totals[name] ?? 0) + count;
    }
    const perMinute = Math.round(daysDone / ((nowMs() - startedMs) / 60_000));
    print(`seed ${seed}: ${result.days} days, ${daysDone} in total, ${perMinute} days per minute`);
    if (result.violations.length > 0) failedSeeds.push(seed);
    for (const violation of result.violations) print(`  WRONG with seed ${seed}: ${violation}`);
  }
  return { seeds, days: daysDone, failedSeeds, totals };
}
