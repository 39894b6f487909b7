import { systemClock } from '../../../src/platform/clock.ts';
import { rollUpAttempts } from '../../../src/webhooks/stats/attempt-rollup.ts';
import type { Db } from '../../../src/storage/db.ts';
import { startManagement } from '../../support/management-server.ts';
import { postgresStore } from '../../support/stores.ts';
import { embeddedStore } from '../embedded-store.ts';
import type { Bench } from '../bench.ts';
import { listCalls } from './calls.ts';
import { fill } from './fill.ts';
import { BIG, SIZES } from './portions.ts';

const READS = Number(process.env['BENCH_LIST_READS'] ?? 20);
const P95_MS_MAX = 200;

/**
 * Measures every dashboard list on a store with a month of data. Covers the whole call except the
 * socket.
 */
export const bench: Bench = {
  name: 'lists',
  target: `p95 of every list ≤ ${P95_MS_MAX} ms on both engines`,
  async run() {
    const figures: Record<string, string | number> = { deliveries: SIZES.deliveries };
    const server = await postgresStore();
    let worst = 0;
    if ('missing' in server) figures['postgres'] = server.missing;
    else worst = await measure(server.db, figures);
    worst = Math.max(worst, await measure(await embeddedStore(), figures));
    return { passed: worst <= P95_MS_MAX, figures };
  },
};

/** Adds the p50 and p95 of each list to the figures. Returns the highest p95. */
async function measure(db: Db, figures: Record<string, string | number>): Promise<number> {
  const clock = systemClock();
  const management = await startManagement(db);
  const now = management.clock.now();
  await fill(db, now);
  // In production, a worker does this in the background.
  while (await rollUpAttempts({ db, clock: management.clock }));
  const operator = await management.person('operator', null);
  const { id: keyId } = await management.program(BIG, ['read']);
  let worst = 0;
  for (const [name, path] of listCalls(now, keyId)) {
    const latencies: number[] = [];
    for (let at = -2; at < READS; at += 1) {
      const startedMs = clock.monotonicMs();
      const { status, text } = await management.call('GET', path, operator);
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      // The first two calls are the warm-up.
      if (at >= 0) latencies.push(clock.monotonicMs() - startedMs);
    }
    latencies.sort((a, b) => a - b);
    const part = (share: number): number => latencies[Math.floor((READS - 1) * share)] ?? 0;
    const percentiles = `${part(0.5).toFixed(1)}/${part(0.95).toFixed(1)}`;
    figures[`${db.engine} ${name} p50/p95 ms`] = percentiles;
    process.stderr.write(`${db.engine} ${name}: ${percentiles}\n`);
    worst = Math.max(worst, part(0.95));
  }
  await management.stop();
  await db.close();
  return worst;
}
