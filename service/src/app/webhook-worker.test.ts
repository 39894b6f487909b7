import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings, SettingsError } from '../config/settings.ts';
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
import { silentLog } from '../../test/support/logs.ts';
import { seededRandom } from '../platform/random.ts';
import { createSecretCipher } from '../platform/encryption.ts';
import { readWebhookCaFile, startConfiguredWorker } from './webhook-worker.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const DAY = 86_400_000;

test('keeps webhook attempts and deliveries for as long as the retention settings require', async () => {
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
  const worker = await startConfiguredWorker({
    db,
    clock,
    random,
    log: silentLog,
    cipher,
    settings,
  });
  // Returns one row with the number of attempts and deliveries.
  const counts = () =>
    db.query(
      `select (select count(*) from delivery) as deliveries,
              (select count(*) from delivery_attempt) as attempts`,
    );
  await expect.poll(counts).toEqual([{ deliveries: 1, attempts: 0 }]);
  await clock.advance(2 * DAY);
  // The worker may have been busy with the store during that time.
  const countsLater = async () => {
    await clock.advance(30_000);
    return counts();
  };
  await expect.poll(countsLater).toEqual([{ deliveries: 0, attempts: 0 }]);
  await worker.stop();
  await db.close();
});

test('reads the certificates in WEBHOOK_CA_FILE, or none if it is not set', async () => {
  const pem = rootCertificates.slice(0, 2).join('\n');
  expect(await readWebhookCaFile(fileOf(pem))).toBe(pem);
  expect(await readWebhookCaFile(null)).toBeNull();
});

test.each([
  ['that does not exist', () => '/no/such/file', 'cannot be read (ENOENT)'],
  ['that is a folder', () => tmpdir(), 'cannot be read (EISDIR)'],
  ['without a certificate', () => fileOf('root:x:0:0'), 'there is no certificate in PEM'],
  [
    'with a broken certificate',
    () => fileOf('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
    'cannot be used',
  ],
])(
  'rejects a certificate file %s and reports the setting and the fix',
  async (_what, make, problem) => {
    const path = make();
    const error = await readWebhookCaFile(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SettingsError);
    expect(String(error)).toContain(`WEBHOOK_CA_FILE ${path} `);
    expect(String(error)).toContain(problem);
    expect(String(error)).toContain('or unset WEBHOOK_CA_FILE');
  },
);

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ca.pem');
  writeFileSync(path, content);
  return path;
}
