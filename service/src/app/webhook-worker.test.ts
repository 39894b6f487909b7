import { expect, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  deliverAll,
  engineDeps,
  publish,
  subscribe,
} from '../../test/support/webhook-world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../platform/log.ts';
import { seededRandom } from '../platform/random.ts';
import { createSecretCipher } from '../platform/encryption.ts';
import { readSettings } from '../config/settings.ts';
import { startWebhooks } from './webhook-worker.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const DAY = 86_400_000;

test('the worker keeps attempts and deliveries as long as the settings say', async () => {
  const db = await memoryStore();
  const clock = fakeClock(NOW);
  const deps = engineDeps(db, clock);
  await addEndpoint(db, 'ep');
  await addCompanies(db, ['NRTH']);
  await subscribe(deps, 'ep', ['NRTH']);
  await publish(deps, 'NRTH', { epsEstimate: '1.3' });
  await deliverAll(deps);
  await clock.advance(9 * DAY);
  const env = {
    WEBHOOK_ATTEMPT_DAYS: '8',
    WEBHOOK_DELIVERY_DAYS: '10',
    NOW: '2026-11-16T15:00:00Z',
  };
  const settings = readSettings({ flags: {}, env, cwd: '/', sources: [] });
  const random = seededRandom(1);
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], random);
  const worker = await startWebhooks({ db, clock, random, log: silentLog(), cipher, settings });
  // One row: how many there are of each.
  const counts = () =>
    db.query(
      `select (select count(*) from delivery) as deliveries,
              (select count(*) from delivery_attempt) as attempts`,
    );
  await expect.poll(counts).toEqual([{ deliveries: 1, attempts: 0 }]);
  await clock.advance(2 * DAY);
  await expect.poll(counts).toEqual([{ deliveries: 0, attempts: 0 }]);
  await worker.stop();
  await db.close();
});
