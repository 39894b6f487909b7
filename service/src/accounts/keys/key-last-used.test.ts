import { beforeEach, describe, expect, test } from 'vitest';
import { addCustomer, addKey } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Queryable } from '../../storage/db.ts';
import { findKey } from './key-store.ts';
import { startKeyUseRecorder } from './key-last-used.ts';
import { loadKeyVersion } from './api-key-cache.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 0, 30);
const MINUTE_MS = 60_000;

describe('key use recorder', () => {
  onEachEngine((db) => {
    let clock: FakeClock;
    let customerId: string;
    let id: string;
    const log = memoryLog();
    beforeEach(async () => {
      clock = fakeClock(NOW);
      const deps = { db: db(), clock, random: seededRandom(1) };
      customerId = await addCustomer(deps, 'A');
      ({ id } = await addKey(deps, customerId));
    });
    const lastUse = async () => (await findKey(db(), customerId, id))?.lastUsedAt;
    /** Wraps the store so that writes are counted and can be made to fail. */
    function watchedStore(): Queryable & { writes: number; isAway: boolean } {
      return {
        writes: 0,
        isAway: false,
        query(sql, params) {
          if (this.isAway) return Promise.reject(new Error('away'));
          this.writes += 1;
          return db().query(sql, params);
        },
      };
    }

    test("stores a key's last use within seconds, rounded down to the minute", async () => {
      const use = startKeyUseRecorder({ db: db(), clock, log });
      use.record(id, clock.now());
      await clock.advance(5_000);
      await expect.poll(lastUse).toBe(NOW - 30_000);
      await use.stop();
    });

    test('writes key uses to the store once per minute, however often keys are used', async () => {
      const store = watchedStore();
      const use = startKeyUseRecorder({ db: store, clock, log });
      for (let second = 0; second < 120; second++) {
        for (let count = 0; count < 50; count++) use.record(id, clock.now());
        await clock.advance(1_000);
      }
      await use.stop();
      expect(store.writes).toBeLessThanOrEqual(3);
      expect(await lastUse()).toBe(Date.UTC(2026, 10, 20, 15, 2));
    });

    test('does not make the API key cache refresh when a key use is recorded', async () => {
      const versionBefore = await loadKeyVersion(db());
      const use = startKeyUseRecorder({ db: db(), clock, log });
      use.record(id, clock.now());
      await use.stop();
      expect(await lastUse()).not.toBeNull();
      expect(await loadKeyVersion(db())).toEqual(versionBefore);
    });

    test('keeps key uses while the store is unavailable, logs the failure, and never moves a time backwards', async () => {
      const store = watchedStore();
      const use = startKeyUseRecorder({ db: store, clock, log });
      store.isAway = true;
      use.record(id, clock.now() + 5 * MINUTE_MS);
      await clock.advance(5_000);
      await expect.poll(() => log.entries).toHaveLength(1);
      store.isAway = false;
      await use.stop();
      expect(await lastUse()).toBe(NOW - 30_000 + 5 * MINUTE_MS);
      const lateRecorder = startKeyUseRecorder({ db: db(), clock, log });
      lateRecorder.record(id, NOW);
      await lateRecorder.stop();
      expect(await lastUse()).toBe(NOW - 30_000 + 5 * MINUTE_MS);
    });

    test('finishes a write in progress when the key use recorder is stopped', async () => {
      const gate = Promise.withResolvers<void>();
      const slow: Queryable = {
        async query(sql, params) {
          await gate.promise;
          return db().query(sql, params);
        },
      };
      const use = startKeyUseRecorder({ db: slow, clock, log });
      use.record(id, clock.now());
      await clock.advance(MINUTE_MS);
      const stopped = use.stop();
      gate.resolve();
      await stopped;
      expect(await lastUse()).toBe(NOW - 30_000);
    });

    test('skips a deleted key without losing the use of other keys', async () => {
      const use = startKeyUseRecorder({ db: db(), clock, log });
      use.record('key_gone', clock.now());
      use.record(id, clock.now());
      await use.stop();
      expect(await lastUse()).toBe(NOW - 30_000);
    });
  });
});
