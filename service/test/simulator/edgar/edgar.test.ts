import { expect, test } from 'vitest';
import { openInlineStore } from '../world/inline-store.ts';
import { simulateEdgar } from './simulate-edgar.ts';

const SEED = Number(process.env['AFTERBELL_SEED'] ?? 1);
const RUN = { seed: SEED, days: 1, companies: 200, instants: 45 };
const TIMEOUT_MS = 120_000;

test(
  `loses no filing, serves no wrong figure and shows none too early over a day of EDGAR with faults (seed ${SEED})`,
  async () => {
    const store = await openInlineStore();
    const { violations, planted, counts } = await simulateEdgar(store, RUN);
    await store.close();
    expect(violations).toEqual([]);
    // A run without findings is only meaningful if enough happened in it.
    expect(counts['served']).toBeGreaterThan(5);
    expect(counts['confirmed']).toBeGreaterThan(5);
    expect(counts['figures']).toBeGreaterThan(RUN.instants * 5);
    expect(Object.keys(counts).join()).toMatch(/quarantined: (?:release-|year-ago-differs)/);
    // The same check finds a store that dates acceptances too early.
    expect(planted).not.toEqual([]);
  },
  TIMEOUT_MS,
);
