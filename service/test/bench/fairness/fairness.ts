import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { postgresStore } from '../../support/stores.ts';
import type { Bench } from '../bench.ts';
import { ATTACKS } from './attacks.ts';
import { type FairnessWorld, startFairnessWorld } from './service-process.ts';

const RATIO_MAX = 1.5;
const SECONDS = Number(process.env['BENCH_FAIRNESS_SECONDS'] ?? 10);
const ATTACKS_FILE = fileURLToPath(new URL('attacks.ts', import.meta.url));

type Times = Record<string, number[]>;

/**
 * Measures a bystander that reads a cached response, an uncached one, the dashboard's page and a
 * list of the dashboard by turns, alone before and after each attack and beside it. Attacks run in a
 * process of their own.
 */
export const bench: Bench = {
  name: 'fairness',
  target: `p99 of a bystander beside each attack ≤ ${RATIO_MAX} × quiet, on both engines`,
  async run() {
    const embedded = await onEngine('embedded', null);
    const store = await postgresStore();
    if ('missing' in store)
      return { ...embedded, figures: { ...embedded.figures, postgres: store.missing } };
    const url = store.url;
    await store.db.close();
    const postgres = await onEngine('postgres', url);
    return {
      passed: embedded.passed && postgres.passed,
      figures: { ...embedded.figures, ...postgres.figures },
    };
  },
};

async function onEngine(engine: string, databaseUrl: string | null) {
  const world = await startFairnessWorld(databaseUrl);
  const figures: Record<string, string> = {};
  let passed = true;
  try {
    const bystander = await createBystander(world);
    await bystander(5);
    let before = await bystander(SECONDS);
    for (const name of Object.keys(ATTACKS)) {
      const end = startAttack(name, world);
      await sleep(2_000);
      const times = await bystander(SECONDS);
      const statuses = await end();
      await sleep(2_000);
      const after = await bystander(SECONDS);
      for (const [kind, values] of Object.entries(times)) {
        const quiet = [...(before[kind] ?? []), ...(after[kind] ?? [])];
        const ratio = percentile(values, 0.99) / percentile(quiet, 0.99);
        if (ratio > RATIO_MAX) passed = false;
        figures[`${engine} ${name} ${kind}`] =
          `${ratio.toFixed(2)}: ${show(values)} beside ${show(quiet)}`;
      }
      figures[`${engine} ${name} responses`] = JSON.stringify(statuses);
      before = after;
    }
  } finally {
    await world.stop();
  }
  return { passed, figures };
}

/** Starts an attack. The returned function ends it and returns its responses by status. */
function startAttack(name: string, world: FairnessWorld): () => Promise<unknown> {
  const child = fork(ATTACKS_FILE, [name, JSON.stringify(world.target)]);
  return () =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send('end');
    });
}

/** Returns a function that reads for some seconds and returns durations in milliseconds by kind. */
async function createBystander({ url, bystander }: FairnessWorld) {
  const { key, session } = bystander;
  const symbols = (await get('/v1/symbols?limit=500', key)) as { symbol: string }[];
  let requests = 0;
  return async (seconds: number): Promise<Times> => {
    const times: Times = { hot: [], computed: [], page: [], dashboard: [] };
    const endMs = performance.now() + seconds * 1_000;
    while (performance.now() < endMs) {
      requests += 1;
      const { symbol = '' } = symbols[requests % symbols.length] ?? {};
      const limit = 10 + Math.floor(requests / symbols.length);
      await measure(times['hot'], '/v1/market-status', key);
      await measure(times['computed'], `/v1/earnings?symbol=${symbol}&limit=${limit}`, key);
      await measure(times['page'], '/dashboard', key);
      await measure(times['dashboard'], '/account/v1/keys', session);
      await sleep(10);
    }
    return times;
  };

  async function measure(
    values: number[] | undefined,
    path: string,
    headers: Record<string, string>,
  ) {
    const startedMs = performance.now();
    await get(path, headers);
    values?.push(performance.now() - startedMs);
  }

  async function get(path: string, headers: Record<string, string>): Promise<unknown> {
    const response = await fetch(url + path, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} ${response.status} ${text}`);
    return text.startsWith('[') ? JSON.parse(text) : text;
  }
}

function show(values: readonly number[]): string {
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(values, share).toFixed(1));
  return `${p50}/${p99} ms (${values.length})`;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
