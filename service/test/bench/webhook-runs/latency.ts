import type { Db } from '../../../src/storage/db.ts';
import { postgresStore } from '../../support/stores.ts';
import { embeddedStore } from '../embedded-store.ts';
import type { Bench } from '../bench.ts';
import { ENDPOINTS, openStage, percentile } from './stage.ts';

const SECONDS = 20;

/** Measures the latency from a change to its first POST, at half the engine's maximum rate. */
export const bench: Bench = {
  name: 'webhook latency',
  target: 'none; measured at half the burst rate',
  async run() {
    const figures = await measure(await embeddedStore(), 'embedded');
    const server = await postgresStore();
    if (!('missing' in server)) Object.assign(figures, await measure(server.db, 'postgres'));
    return { passed: true, figures };
  },
};

async function measure(db: Db, name: string): Promise<Record<string, number>> {
  const stage = await openStage(db);
  await stage.burst();
  const perSecond = await stage.burst();
  const result = await stage.drive(perSecond / 2 / ENDPOINTS, SECONDS);
  await stage.close();
  const latencies = [...result.latencies.values()].flat();
  return {
    [`${name}BurstPerSecond`]: Math.round(perSecond),
    [`${name}DrivenPerSecond`]: Math.round(result.changesPerSecond * ENDPOINTS),
    [`${name}Posts`]: latencies.length,
    [`${name}P50Ms`]: percentile(latencies, 0.5),
    [`${name}P99Ms`]: percentile(latencies, 0.99),
    [`${name}MaxMs`]: percentile(latencies, 1),
  };
}
