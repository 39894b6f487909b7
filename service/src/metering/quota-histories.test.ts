import { afterAll, describe, expect, test } from 'vitest';
import { manualClock, playHistory, startOfHistory } from '../../test/support/quota-histories.ts';
import { memoryStore, postgresStore } from '../../test/support/stores.ts';
import { silentLog } from '../../test/support/logs.ts';
import type { Db } from '../storage/db.ts';
import { startLocalMeter } from './local-quota-meter.ts';
import { startSharedMeter } from './shared-quota-meter.ts';

const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_120);
const HISTORIES = Number(process.env['AFTERBELL_HISTORIES'] ?? 1_000);
const log = silentLog;

test(`matches the reference model in ${HISTORIES} random in-memory histories (seed ${SEED})`, async () => {
  const db = { query: () => Promise.resolve([]) };
  for (let index = 0; index < HISTORIES; index += 1) {
    const seed = SEED + index;
    const clock = manualClock(startOfHistory(seed));
    const meter = await startLocalMeter({ db, clock, log });
    await playHistory({ seed, steps: 40, clock, meters: [meter] });
  }
});

describe('with a store', () => {
  test(`matches the reference model with the local and the shared meter on the embedded store (seed ${SEED})`, async () => {
    const db = await memoryStore();
    openStores.push(db);
    for (let seed = SEED; seed < SEED + 20; seed += 1) {
      const clock = manualClock(startOfHistory(seed));
      const meter = await startLocalMeter({ db, clock, log });
      await playHistory({ seed, steps: 40, clock, meters: [meter], prefix: `${seed}-` });
      await meter.stop();
    }
    for (let seed = SEED; seed < SEED + 5; seed += 1) {
      const clock = manualClock(startOfHistory(seed));
      const meter = await startSharedMeter({
        db,
        clock,
        log,
        isMinuteByClock: true,
      });
      await playHistory({ seed, steps: 40, clock, meters: [meter], prefix: `shared-${seed}-` });
    }
  });

  const cases = [
    { nodes: 1, refusalTtlMs: 1_000 },
    { nodes: 4, refusalTtlMs: 0 },
  ];
  test.for(cases)(
    `matches the reference model with $nodes processes that share one PostgreSQL (seed ${SEED})`,
    async (plan, context) => {
      const server = await postgresStore();
      if ('missing' in server) return context.skip(server.missing);
      const { db } = server;
      openStores.push(db);
      const { nodes, refusalTtlMs } = plan;
      for (let seed = SEED; seed < SEED + 30; seed += 1) {
        const clock = manualClock(startOfHistory(seed));
        const start = () =>
          startSharedMeter({ db, clock, log, refusalTtlMs, isMinuteByClock: true });
        const meters = await Promise.all(Array.from({ length: nodes }, start));
        expect(meters).toHaveLength(nodes);
        await playHistory({ seed, steps: 40, clock, meters, prefix: `${nodes}-${seed}-` });
      }
    },
  );
});

const openStores: Db[] = [];
afterAll(async () => {
  for (const db of openStores) await db.close();
});
