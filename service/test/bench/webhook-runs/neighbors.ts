import { IN_FLIGHT, NOT_IN_FLIGHT } from '../../../src/webhooks/queue/in-flight.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/storage/db.ts';
import { postgresStore } from '../../support/stores.ts';
import { embeddedStore } from '../embedded-store.ts';
import type { Bench } from '../bench.ts';
import { ENDPOINTS, openStage, percentile, type Stage } from './stage.ts';

const ROUNDS = 4;
const SECONDS = 8;
const UNHEALTHY = ['ep0', 'ep1'];
const RATIO_MAX = 1.2;

/**
 * Measures how one receiver that never responds and one that drips bytes affect healthy receivers.
 */
export const bench: Bench = {
  name: 'webhook neighbors',
  target:
    'p99 of healthy receivers beside a dead and a dripping one ≤ 1.2 × p99 of a hundred healthy receivers',
  async run() {
    const figures = await measure(await embeddedStore(), 'embedded');
    const server = await postgresStore();
    if (!('missing' in server)) Object.assign(figures, await measure(server.db, 'postgres'));
    const ratios = [figures['embeddedRatio'], figures['postgresRatio'] ?? 1];
    return { passed: ratios.every((ratio) => Number(ratio) <= RATIO_MAX), figures };
  },
};

/** Alternates between the two cases, so that other load on the machine affects both. */
async function measure(db: Db, name: string): Promise<Record<string, number>> {
  const stage = await openStage(db);
  await stage.burst();
  const perSecond = await stage.burst();
  const changesPerSecond = perSecond / 4 / ENDPOINTS;
  const healthy: number[] = [];
  const besideUnhealthy: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await setUrls(stage, ['/ep0', '/ep1']);
    healthy.push(...(await healthyLatencies(stage, changesPerSecond)));
    await setUrls(stage, ['/dead', '/drip']);
    besideUnhealthy.push(...(await healthyLatencies(stage, changesPerSecond)));
  }
  await stage.close();
  const [before, after] = [percentile(healthy, 0.99), percentile(besideUnhealthy, 0.99)];
  return {
    [`${name}PerSecond`]: Math.round(changesPerSecond * ENDPOINTS),
    [`${name}Posts`]: healthy.length + besideUnhealthy.length,
    [`${name}HealthyP50Ms`]: percentile(healthy, 0.5),
    [`${name}BesideUnhealthyP50Ms`]: percentile(besideUnhealthy, 0.5),
    [`${name}HealthyP99Ms`]: before,
    [`${name}BesideUnhealthyP99Ms`]: after,
    [`${name}Ratio`]: Number((after / before).toFixed(2)),
  };
}

async function healthyLatencies(stage: Stage, changesPerSecond: number): Promise<number[]> {
  const { latencies } = await stage.drive(changesPerSecond, SECONDS);
  const healthyPaths = [...latencies].filter(([path]) => /^\/ep(?![01]$)/.test(path));
  return healthyPaths.flatMap(([, list]) => list);
}

/**
 * Waits until attempts in progress have ended, then resets both endpoints and empties their queue.
 */
async function setUrls({ db, receivers }: Stage, paths: readonly string[]): Promise<void> {
  const clock = systemClock();
  const inProgress = `select 1 from ${IN_FLIGHT} f where endpoint_id = any($1)`;
  await db.query(
    `delete from delivery
      where endpoint_id = any($1) and state in ('pending', 'retrying') and id ${NOT_IN_FLIGHT}`,
    [UNHEALTHY],
  );
  while ((await db.query(inProgress, [UNHEALTHY])).length > 0) await clock.sleep(100);
  await db.query(
    `delete from delivery where endpoint_id = any($1) and state in ('pending', 'retrying')`,
    [UNHEALTHY],
  );
  for (const [index, path] of paths.entries()) {
    await db.query(
      `update webhook_endpoint set url = $2, is_slow = false, failure_count = 0,
              failing_since = null, failing_delivery = null where id = $1`,
      [UNHEALTHY[index] ?? '', `http://127.0.0.1:${receivers.port}${path}`],
    );
  }
}
