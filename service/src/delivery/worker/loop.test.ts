import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import { seededRandom } from '../../platform/random.ts';
import { createSecretCipher } from '../../platform/encryption.ts';
import type { Db } from '../../storage/db.ts';
import { startWebhookWorker } from './worker.ts';

const HOUR_MINUTES = 60;

test('backs off while the store fails, and logs the failure once a minute per loop', async () => {
  const clock = fakeClock(Date.UTC(2026, 10, 20, 15));
  const log = memoryLog();
  const random = seededRandom(1);
  let callCount = 0;
  const fail = () => {
    callCount += 1;
    return Promise.reject(new Error('could not open file'));
  };
  const calls = { query: fail, execute: fail, transaction: fail, readSnapshot: fail, close: fail };
  const db: Db = { engine: 'pglite', ...calls };
  const worker = startWebhookWorker({
    db,
    clock,
    random,
    log,
    templates: [],
    brand: 'Service',
    checksClock: false,
    cipher: createSecretCipher([new Uint8Array(32).fill(7)], random),
    agent: {
      post: () => Promise.reject(new Error('nothing is due')),
      close: async () => undefined,
    },
  });
  await clock.advance(HOUR_MINUTES * 60_000);
  expect(log.entries.length).toBeGreaterThan(0);
  expect(log.entries.length).toBeLessThanOrEqual(3 * (HOUR_MINUTES + 1));
  // Three loops, each running at most twice a minute after initial delays of 1, 2, 4, 8 and 16 s.
  expect(callCount).toBeLessThanOrEqual(3 * (2 * HOUR_MINUTES + 5));
  const stopped = worker.stop();
  await clock.advance(1);
  await stopped;
});
