import { setTimeout as sleep } from 'node:timers/promises';
import { newYorkDate } from '../../../src/domain/new-york.ts';
import { addDays, type LocalDate } from '../../../src/domain/local-date.ts';
import { postgresStore } from '../../support/stores.ts';
import type { Bench } from '../bench.ts';
import { type FairnessWorld, startFairnessWorld } from './service-process.ts';

const RATIO_MAX = 1.5;
const SECONDS = Number(process.env['BENCH_FAIRNESS_SECONDS'] ?? 20);

type Attack = (world: FairnessWorld, signal: AbortSignal, loop: number) => Promise<unknown>;

/** Attacks with their number of parallel loops. */
const ATTACKS: readonly [name: string, loops: number, attack: Attack][] = [
  ['quiet', 0, () => Promise.resolve()],
  [
    'byKey',
    32,
    (world, signal) =>
      get(world, `/v1/calendar/earnings?${worst()}`, { 'X-Api-Key': world.attackerKey }, signal),
  ],
  [
    'bySession',
    8,
    (world, signal) =>
      get(
        world,
        `/account/v1/explore/calendar-earnings?query=${encodeURIComponent(worst())}`,
        world.attackerSession,
        signal,
      ),
  ],
  [
    'signIns',
    100,
    (world, signal) => post(world, 'session', { email: `${randomText()}@example.com` }, signal),
  ],
  [
    'invitations',
    28,
    (world, signal) => post(world, 'invitation/accept', { token: world.invitation }, signal),
  ],
];

/**
 * Measures a bystander that reads a cached response, an uncached one and the dashboard's page by
 * turns, alone and beside one attacking customer: with the most expensive request known, which varies so that no
 * cache has it, and with wrong sign-ins and taken invitations from 1,000 networks.
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
  let quiet: Record<string, number[]> = {};
  try {
    await bystander(world, 3);
    for (const [name, loops, attack] of ATTACKS) {
      const stopping = new AbortController();
      let requests = 0;
      const running = Array.from({ length: loops }, async (_, loop) => {
        while (!stopping.signal.aborted) {
          await attack(world, stopping.signal, loop).catch(() => sleep(5));
          requests += 1;
        }
      });
      if (loops > 0) await sleep(1_000);
      const times = await bystander(world, SECONDS);
      stopping.abort();
      await Promise.all(running);
      if (name === 'quiet') quiet = times;
      for (const [kind, values] of Object.entries(times)) {
        const ratio = percentile(values, 0.99) / percentile(quiet[kind] ?? [], 0.99);
        if (ratio > RATIO_MAX) passed = false;
        const shown = [0.5, 0.99].map((share) => percentile(values, share).toFixed(0)).join('/');
        figures[`${engine} ${name} ${kind}`] =
          `${shown} ms, ${ratio.toFixed(2)}, n=${values.length}`;
      }
      figures[`${engine} ${name} attacks`] = String(requests);
      await sleep(1_000);
    }
  } finally {
    await world.stop();
  }
  return { passed, figures };
}

/** Reads for some seconds and returns the durations in milliseconds by kind. */
async function bystander(world: FairnessWorld, seconds: number): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = { hot: [], computed: [], page: [] };
  const key = { 'X-Api-Key': world.bystanderKey };
  const endMs = performance.now() + seconds * 1_000;
  for (let turn = 0; performance.now() < endMs; turn += 1) {
    const requests = [
      ['hot', '/v1/market-status'],
      [
        'computed',
        `/v1/calendar/earnings?date=${dayBefore(Math.floor(Math.random() * 300))}&limit=${1 + (turn % 900)}`,
      ],
      ['page', '/dashboard'],
    ] as const;
    for (const [kind, path] of requests) {
      const startedMs = performance.now();
      await get(world, path, key);
      times[kind]?.push(performance.now() - startedMs);
    }
    await sleep(10);
  }
  return times;
}

/** The most expensive query known, with a range that no other request has. */
function worst(): string {
  const to = dayBefore(Math.floor(Math.random() * 60) - 30);
  const from = addDays(to, -91 + Math.floor(Math.random() * 10));
  const limit = 900 + Math.floor(Math.random() * 100);
  return `from=${from}&to=${to}&limit=${limit}&include=provenance,alternatives`;
}

function dayBefore(days: number): LocalDate {
  return addDays(newYorkDate(Date.now()), -days);
}

function randomText(): string {
  return Math.random().toString(36).slice(2);
}

async function get(
  { url }: FairnessWorld,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<void> {
  const response = await fetch(url + path, { headers, signal });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} ${response.status}`);
}

/** Sends a password from one of 1,000 networks. */
async function post(
  { url }: FairnessWorld,
  path: string,
  body: object,
  signal: AbortSignal,
): Promise<void> {
  const network = Math.floor(Math.random() * 1_000).toString(16);
  const headers = {
    'Content-Type': 'application/json',
    Origin: url,
    'X-Forwarded-For': `2001:db8:${network}::1`,
  };
  const text = JSON.stringify({ ...body, password: 'violet tractor nine moss' });
  const response = await fetch(`${url}/account/v1/${path}`, {
    method: 'POST',
    headers,
    body: text,
    signal,
  });
  await response.arrayBuffer();
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
