import { expect, test } from 'vitest';
import { FAILING_SEEDS } from './failing-seeds.ts';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';
import { simulate, type Simulation } from './simulate.ts';
import { openInlineStore } from './world/inline-store.ts';

const SEED = Number(process.env['AFTERBELL_SEED'] ?? 1);
const DAYS = 45;
const SEEDS = [SEED];
/** Seed offsets with which each planted bug is found, fastest first. */
const BUG_SEEDS: Readonly<Record<PlantedBug, readonly number[]>> = {
  'no-supersede': [4, 3, 0],
  'no-fence': [7, 6, 11],
  'quota-by-clock': [2, 0, 1],
};
const TIMEOUT_MS = 300_000;

test.each(SEEDS)(
  `violates no guarantee of the service during ${DAYS} simulated days of faults (seed %i)`,
  async (seed) => {
    const { violations, days, counts } = await run(seed, DAYS);
    expect(violations).toEqual([]);
    expect(days).toBe(DAYS);
    // A run without findings is only meaningful if enough happened in it.
    expect(counts['ledger: changes']).toBeGreaterThan(20);
    expect(counts['delivery: delivered']).toBeGreaterThan(20);
    expect(counts['request: 429']).toBeGreaterThan(20);
    expect(counts['ledger: full checks']).toBeGreaterThan(DAYS);
  },
  TIMEOUT_MS,
);

test.each(FAILING_SEEDS)(
  'violates no guarantee of the service on seed $seed, which once revealed: $symptom',
  async ({ seed, days }) => {
    expect((await run(seed, days)).violations).toEqual([]);
  },
  TIMEOUT_MS,
);

test.each(PLANTED_BUGS)(
  'detects a planted bug within the short CI run: %s',
  async (bug) => {
    const violations: string[] = [];
    for (const offset of BUG_SEEDS[bug]) {
      if (violations.length > 0) continue;
      violations.push(...(await run(SEED + offset, DAYS, bug)).violations);
    }
    expect(violations.join('\n')).toMatch(SYMPTOMS[bug]);
  },
  TIMEOUT_MS,
);

/** Violation messages that reveal each bug. */
const SYMPTOMS: Readonly<Record<PlantedBug, RegExp>> = {
  'no-supersede': /with a different body|went back|last acknowledged|holds/,
  'no-fence':
    /went back|finished twice|was finished and is|last acknowledged|holds|without a receipt/,
  'quota-by-clock': /was admitted \d+ times in one (day|month)/,
};

async function run(seed: number, days: number, bug: PlantedBug | null = null): Promise<Simulation> {
  const store = await openInlineStore();
  try {
    return await simulate(store, { seed, days, bug });
  } finally {
    await store.close();
  }
}
