import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import { monitorStore } from './store-monitor.ts';

/** Returns a store that responds, fails or hangs, depending on its `mood`. */
function moodyStore() {
  const store = {
    mood: 'well' as 'well' | 'failing' | 'silent',
    asked: 0,
    query<T>(): Promise<T[]> {
      store.asked += 1;
      if (store.mood === 'failing') return Promise.reject(new Error('away'));
      return store.mood === 'silent' ? new Promise<T[]>(() => undefined) : Promise.resolve([]);
    },
  };
  return store;
}

test('reports a failing store as unhealthy, logs once a minute, and recovers within two seconds', async () => {
  const clock = fakeClock(0);
  const log = memoryLog();
  const store = moodyStore();
  const watch = monitorStore({ db: store, clock, log });
  await clock.advance(10_000);
  expect([watch.isHealthy(), store.asked]).toEqual([true, 5]);
  store.mood = 'failing';
  await clock.advance(2_000);
  expect(watch.isHealthy()).toBe(false);
  await clock.advance(10 * 60_000);
  expect(log.entries.length).toBeLessThanOrEqual(11);
  store.mood = 'well';
  await clock.advance(2_000);
  expect(watch.isHealthy()).toBe(true);
  expect(log.entries.at(-1)?.level).toBe('info');
  watch.stop();
});

test('reports a hanging store as unhealthy, and sends no health check after the monitor is stopped', async () => {
  const clock = fakeClock(0);
  const store = moodyStore();
  const watch = monitorStore({ db: store, clock, log: memoryLog() });
  store.mood = 'silent';
  await clock.advance(2_000 + 19_999);
  expect(watch.isHealthy()).toBe(true);
  await clock.advance(1);
  expect([watch.isHealthy(), store.asked]).toEqual([false, 1]);
  watch.stop();
  await clock.advance(120_000);
  expect(store.asked).toBe(1);
});
