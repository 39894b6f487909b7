import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { simulate } from '../service/test/simulator/simulate.ts';
import { simulateEdgar } from '../service/test/simulator/edgar/simulate-edgar.ts';
import { openInlineStore } from '../service/test/simulator/world/inline-store.ts';

// npm run simulate -- --days 10000 --seed 1 simulates this many days, one seed after another
// npm run simulate -- --days 10000 --seed 1 --seeds 50 spreads the days over this many seeds
// npm run simulate -- --edgar --seed 1 --seeds 50 follows a simulated EDGAR for a day of each seed
//
// Runs the whole service on a clock that jumps from event to event, with seeded faults in sources,
// network, receivers, store, clocks and processes. If a seed breaks an invariant, prints the seed
// and the simulated time. Add such a seed to service/test/simulator/failing-seeds.ts.

/**
 * A store becomes slower as simulated days accumulate. New stores are faster and start in different
 * years.
 */
const DAYS_PER_SEED = 100;
const EDGAR_RUN = { days: 1, companies: 400, instants: 200 };

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    edgar: { type: 'boolean', default: false },
  },
});
const days = wholeNumber('days', values.days);
const firstSeed = wholeNumber('seed', values.seed);
const seeds =
  values.seeds === undefined ? Math.ceil(days / DAYS_PER_SEED) : wholeNumber('seeds', values.seeds);
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
}).stdout.trim();

const totals: Record<string, number> = {};
const startedMs = performance.now();
let daysDone = 0;
let failures = 0;
for (let n = 0; n < seeds; n += 1) {
  const seed = firstSeed + n;
  const share = Math.floor((days * (n + 1)) / seeds) - Math.floor((days * n) / seeds);
  const store = await openInlineStore();
  const result = values.edgar
    ? { days: 1, ...(await simulateEdgar(store, { seed, ...EDGAR_RUN })) }
    : await simulate(store, { seed, days: share });
  await store.close();
  daysDone += result.days;
  for (const [name, count] of Object.entries(result.counts)) {
    totals[name] = (totals[name] ?? 0) + count;
  }
  if (result.violations.length > 0) failures += 1;
  const rate = (daysDone / ((performance.now() - startedMs) / 1_000)).toFixed(1);
  console.log(`seed ${seed}: ${result.days} days, ${daysDone} in total, ${rate} days per second`);
  for (const sentence of result.violations) console.log(`  WRONG ${sentence}`);
}
console.log(
  JSON.stringify({ commit, firstSeed, seeds, days: daysDone, failures, totals }, null, 2),
);
process.exitCode = failures > 0 ? 1 : 0;

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  console.error(
    `--${name} must be a whole number, for example: npm run simulate -- --days 1000 --seed 1`,
  );
  process.exit(1);
}
