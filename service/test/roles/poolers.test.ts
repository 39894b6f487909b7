import { expect, onTestFinished, test } from 'vitest';
import { createIngest } from '../../src/ingest/ingest.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { provider as files } from '../../src/providers/files/index.ts';
import type { Db } from '../../src/storage/db.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { scratchFolder } from '../support/afterbell-process.ts';
import { emptyPostgres } from '../support/empty-postgres.ts';
import { POOLER_KINDS, startPooler } from '../support/poolers.ts';
import { freePort } from '../support/postgres-cluster.ts';
import { postgresServer } from '../support/postgres-server.ts';
import { sendRequest } from '../support/roles/reader.ts';
import { earningsFile, firstFiles } from '../support/roles/scripted-files.ts';
import { createKey, startRole } from '../support/roles/start-role.ts';
import { prepareStore, SECRET } from '../support/webhook-kills.ts';
import { startReceivers } from '../support/webhook-receiver.ts';

const TIMEOUT = { timeout: 240_000 };
const SCARCE = { name: 'scarce', perMinute: 1_000, perDay: 20 };
const clock = systemClock();

test.each(POOLER_KINDS)(
  'migrates an empty database, counts quotas exactly and delivers signed webhooks behind a pooler (%s)',
  TIMEOUT,
  async (kind) => {
    const [server, empty] = [await postgresServer(), await emptyPostgres()];
    if ('missing' in server || 'missing' in empty) return;
    const pooler = await startPooler(server.url, kind);
    if ('missing' in pooler) return;
    onTestFinished(() => pooler.close());
    const receivers = await startReceivers(SECRET);
    onTestFinished(() => receivers.close());
    const url = pooler.urlOf(empty.url);
    const env = { url, folder: scratchFolder(), receivers: receivers.port };

    // Two processes migrate at the same time.
    const [db] = await Promise.all([openStore({ databaseUrl: url }), openStoreAgain(url)]);
    onTestFinished(() => db.close());
    const key = await createKey(db, env, SCARCE);
    await prepareStore({ databaseUrl: url }, receivers.port, 1, fill);
    const ports = [await freePort(), await freePort()];
    const processes = await Promise.all([
      ...ports.map((port) => startRole('serve', env, port)),
      startRole('work', env),
    ]);

    await ingest(db, earningsFile('AAA', 7, clock.now()));
    await expect.poll(() => receivers.latestCounts.get('/ep1 AAA')).toBe(7);
    const path = '/v1/earnings?symbol=AAA';
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        sendRequest({ port: ports[index % 2] ?? 0, key, path }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    const logged = () => processes.map(({ output }) => output.stderr).join('');
    expect(
      statuses.filter((status) => status === 200),
      logged(),
    ).toHaveLength(SCARCE.perDay);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - SCARCE.perDay);

    for (const { child } of processes) child.kill('SIGTERM');
    for (const { ended, output } of processes) expect(await ended, output.stderr).toBe(0);
    expect(receivers.violations).toEqual([]);
    expect(logged()).not.toMatch(/"event":"(?:delivery|lease|quota|store)\./);
  },
);

async function openStoreAgain(url: string): Promise<void> {
  await (await openStore({ databaseUrl: url })).close();
}

async function fill(db: Db): Promise<void> {
  for (const response of firstFiles(clock.now())) await ingest(db, response);
}

async function ingest(db: Db, response: Parameters<ReturnType<typeof createIngest>>[0]) {
  await createIngest({ db, clock, providers: [files], onCommit: () => undefined })(response);
}
