import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { simulate } from '../service/test/simulator/simulate.ts';
import { simulateEdgar } from '../service/test/simulator/edgar/simulate-edgar.ts';
import { simulateSeeds } from '../service/test/simulator/simulate-seeds.ts';
import type { InlineStore } from '../service/test/simulator/world/inline-store.ts';

// npm run simulate -- --days 10000 --seed 1 simulates this many days, one seed after another
// npm run simulate -- --days 10000 --seed 1 --seeds 50 spreads the days over this many seeds
// npm run simulate -- --edgar --seed 1 --seeds 50 follows a simulated EDGAR for a day of each seed
//
// Runs the whole service on a clock that jumps from event to event, with seeded faults in sources,
// network, receivers, store, clocks and processes. If a seed breaks an invariant, prints the seed
// and the simulated time. Add such a seed to service/test/simulator/failing-seeds.ts.

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
const seeds = values.seeds === undefined ? undefined : wholeNumber('seeds', values.seeds);
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
}).stdout.trim();

const result = await simulateSeeds({
  days,
  firstSeed,
  seeds,
  run: values.edgar ? runEdgar : simulate,
  print: (line) => console.log(line),
  nowMs: () => performance.now(),
});
console.log(JSON.stringify({ commit, firstSeed, ...result }, null, 2));
process.exitCode = result.failedSeeds.length > 0 ? 1 : 0;

async function runEdgar(store: InlineStore, { seed }: { seed: number }) {
  return { days: 1, ...(await simulateEdgar(store, { seed, ...EDGAR_RUN })) };
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  console.error(
    `--${name} must be a whole number, for example: npm run simulate -- --days 1000 --seed 1`,
  );
  process.exit(1);
}
