import { expect, onTestFinished, test } from 'vitest';
import { createIngest } from '../../src/ingest/ingest.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../support/logs.ts';
import { provider as files } from '../../src/providers/files/index.ts';
import {
  listenForNotifications,
  sendNotification,
} from '../../src/storage/engines/postgres/notifications.ts';
import { scratchFolder } from '../support/afterbell-process.ts';
import { freePort } from '../support/postgres-cluster.ts';
import { createKey, startRole } from '../support/roles/start-role.ts';
import { sendRequest } from '../support/roles/reader.ts';
import { earningsFile, firstFiles } from '../support/roles/scripted-files.ts';
import { postgresStore } from '../support/stores.ts';

const CHANGES = Number(process.env['AFTERBELL_CHANGES'] ?? 5);
const TIMEOUT = { timeout: 240_000 + CHANGES * 2_000 };
const clock = systemClock();

test('notifies all listeners of a commit, and reconnects after a lost connection', async ({
  skip,
}) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  onTestFinished(() => store.db.close());
  const notifications: string[] = [];
  let connects = 0;
  const listening = listenForNotifications({
    url: store.url,
    pooler: 'auto',
    clock,
    log: silentLog,
    onNotification: (text) => notifications.push(text),
    onConnected: () => (connects += 1),
  });
  onTestFinished(() => listening.stop());
  while (connects < 1) await clock.sleep(10);
  await store.db.transaction(async (tx) => {
    await tx.query(`insert into commit_log (topics, committed_at) values ('{a}', now())`);
    expect(notifications, 'no notification before the commit').toEqual([]);
  });
  await store.db.query('update key_ring_version set version = version + 1');
  await sendNotification(store.db, 'deliveries');
  while (notifications.length < 3) await clock.sleep(10);
  expect(notifications).toEqual(['commit', 'keys', 'deliveries']);
  await store.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'afterbell notifications' and datname = current_database()`,
  );
  while (connects < 2) await clock.sleep(10);
  await sendNotification(store.db, 'deliveries');
  while (notifications.length < 4) await clock.sleep(10);
});

test('returns a change after a different process has committed it', TIMEOUT, async ({ skip }) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  onTestFinished(() => store.db.close());
  const env = { url: store.url, folder: scratchFolder() };
  const key = await createKey(store.db, env, { name: 'wide', perMinute: 1_000_000, perDay: null });
  const ingest = createIngest({
    db: store.db,
    clock,
    providers: [files],
    onCommit: () => undefined,
  });
  for (const response of firstFiles(clock.now())) await ingest(response);
  const port = await freePort();
  const node = await startRole('serve', env, port);
  const path = '/v1/earnings?symbol=AAA';
  const tookMs: number[] = [];
  for (let count = 2; count < CHANGES + 2; count += 1) {
    await ingest(earningsFile('AAA', count, clock.now()));
    const committedMs = clock.monotonicMs();
    for (;;) {
      const { body } = await sendRequest({ port, key, path });
      const [row] = JSON.parse(body) as { revenueEstimate: number }[];
      if (row?.revenueEstimate === count) break;
      await clock.sleep(1);
    }
    tookMs.push(clock.monotonicMs() - committedMs);
  }
  node.child.kill('SIGTERM');
  expect(await node.ended).toBe(0);
  if (CHANGES > 5) process.stderr.write(`${JSON.stringify(spread(tookMs))}\n`);
});

function spread(values: readonly number[]): Record<string, number> {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
  return { changes: sorted.length, p50: at(0.5), p99: at(0.99), max: at(0.999) };
}
