import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';
import {
  attackedEnv,
  type AttackedService,
  checkResponses,
  fillStore,
  type Keys,
  startAttacked,
  startReceivers,
} from '../support/attack/attacked-service.ts';
import { serverFaults, type ServerFaults } from '../support/attack/server-faults.ts';
import { smallDisk, type SmallDisk } from '../support/attack/small-disk.ts';
import { startTcpPath, type TcpPath } from '../support/attack/tcp-path.ts';
import { killablePostgres, type KillablePostgres } from '../support/killable-postgres.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { checkEnd, prepareStore, startChild } from '../support/webhook-kills.ts';
import type { LedgerProcess } from '../support/webhook-ledger.ts';

const SEED = runSeed();
const RESTARTS = runSize({ slice: 2, whole: 100 });
const OUTAGES = runSize({ slice: 2, whole: 10 });
const OUTAGE_MS = runSize({ slice: 500, whole: 300_000 });
const SLOW_MS = runSize({ slice: 1_500, whole: 120_000 });
const FULL = runSize({ slice: 1, whole: 20 });
const CANCELS = runSize({ slice: 50, whole: 2_000 });
const HOUR = 3_600_000;
const TIMEOUT = { timeout: 120_000 + 60_000 * RESTARTS + OUTAGES * 2 * OUTAGE_MS };
const clock = systemClock();
const random = seededRandom(SEED);

/**
 * The service runs through all attacks without a restart. After each attack, every part must work
 * again.
 */
interface Stage {
  server: KillablePostgres;
  /** Null if the test is not permitted to mount a disk. */
  disk: SmallDisk | null;
  faults: ServerFaults;
  path: TcpPath;
  receivers: LedgerProcess;
  /** Database URL that bypasses the TCP proxy. */
  url: string;
  db: Db;
  service: AttackedService;
}

const missing = await killablePostgres().then(
  (server) => ({ server }),
  (error: unknown) => ({ reason: String(error) }),
);

if ('reason' in missing) {
  test('skips the database attacks without a PostgreSQL server, but fails under CI', ({ skip }) => {
    if ((process.env['CI'] ?? '') !== '') throw new Error(missing.reason);
    skip(missing.reason);
  });
} else {
  describe(`an unattended service under attacks on its database (seed ${SEED})`, () => {
    attacks(missing.server);
  });
}

function attacks(server: KillablePostgres): void {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage(server);
    await stage.service.untilAlive();
  }, TIMEOUT.timeout);
  afterAll(async () => {
    stage.service.kill();
    stage.receivers.stop();
    stage.path.close();
    await stage.faults.close();
    await stage.db.close();
    await server.close();
    stage.disk?.close();
  }, TIMEOUT.timeout);

  test(`survives ${RESTARTS} database restarts without a restart of its own`, TIMEOUT, async () => {
    for (let restart = 1; restart <= RESTARTS; restart += 1) {
      await server.kill(random.int(4) === 0 ? 'kill' : 'immediate');
      await stage.service.untilRejected(1);
      await server.start();
      await stage.service.untilAlive();
    }
  });

  test(
    `survives ${OUTAGES} outages in which the database refuses connections or stops responding`,
    TIMEOUT,
    async () => {
      const { service, path } = stage;
      for (let outage = 0; outage < OUTAGES; outage += 1) {
        expect((await service.requestCached()).status).toBe(200);
        path.set(outage % 2 === 0 ? 'refused' : 'silent');
        await clock.sleep(OUTAGE_MS);
        // Without the database the service can't tell whether a cached response is stale, so it
        // drops cached responses within a second.
        expect([200, 503]).toContain((await service.requestCached()).status);
        path.set('open');
        await service.untilAlive();
      }
    },
  );

  test(
    `recovers after the database's disk fills up and is freed ${FULL} times`,
    TIMEOUT,
    async () => {
      const { service, disk, faults } = stage;
      for (let time = 0; time < FULL; time += 1) {
        if (disk === null) await faults.full();
        else disk.fill();
        await service.untilRejected(1 + random.int(10));
        expect((await service.requestCached()).status).toBe(200);
        if (disk === null) await faults.clear();
        else disk.free();
        await service.untilAlive();
      }
    },
  );

  test(`survives ${CANCELS} rounds of canceled statements`, TIMEOUT, async () => {
    const { service, db } = stage;
    for (let time = 0; time < CANCELS; time += 1) {
      // Returns one row per canceled statement. Reads the view of active statements.
      await db.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
          where application_name = 'afterbell' and state = 'active' and pid <> pg_backend_pid()`,
      );
      await clock.sleep(random.int(10));
    }
    await service.untilAlive();
  });

  test(
    `survives ${SLOW_MS / 1_000} s during which each commit takes an extra half second`,
    TIMEOUT,
    async () => {
      const { service, faults } = stage;
      const before = { responses: service.responses().length, changes: service.counts.changes };
      await faults.slow();
      const endsMs = clock.monotonicMs() + SLOW_MS;
      while (clock.monotonicMs() < endsMs) {
        expect((await service.requestCached()).status).toBe(200);
        await clock.sleep(10);
      }
      await faults.clear();
      await service.untilAlive();
      const figures = {
        responses: service.responses().length - before.responses,
        changes: service.counts.changes - before.changes,
      };
      process.stderr.write(`slow: ${JSON.stringify(figures)}\n`);
    },
  );

  test('returns only documented responses during all attacks, counts every request in the month, and loses no change or delivery', async () => {
    const { service, receivers, url, db } = stage;
    await service.end();
    const figures = await checkResponses(service, db);
    await receivers.calm();
    // This worker's clock is ahead, so all earlier leases and retries are due.
    const orders = { drains: true, aheadMs: 20 * HOUR };
    const drain = startChild({ databaseUrl: url }, receivers.port, orders);
    expect(await drain.exitCode).toBe(0);
    const ledger = await receivers.ledger();
    const note = `seed ${SEED}`;
    const { acknowledged, counts } = service;
    const { deliveries } = await checkEnd({ databaseUrl: url }, ledger, acknowledged, note);
    const longestMs = Math.round(
      // `Math.max` can't take this many arguments.
      service.responses().reduce((most, { sentMs, doneMs }) => Math.max(most, doneMs - sentMs), 0),
    );
    const isDiskReal = stage.disk !== null;
    const summary = { seed: SEED, isDiskReal, ...figures, deliveries, posts: ledger.posts };
    process.stderr.write(`${JSON.stringify({ ...summary, ...counts, longestMs })}\n`);
  });
}

async function openStage(server: KillablePostgres): Promise<Stage> {
  const disk = smallDisk(96);
  const admin = openPostgres({ url: server.url, poolSize: 1 });
  if (disk === null) await admin.query('create database attacked');
  else {
    const folder = disk.folder('space', server.cluster.data);
    await admin.query(`create tablespace small location '${folder}'`);
    await admin.query('create database attacked tablespace small');
  }
  await admin.close();
  const path = await startTcpPath(server.port);
  const direct = new URL(server.url);
  direct.pathname = '/attacked';
  const through = new URL(direct);
  through.port = String(path.port);
  const receivers = await startReceivers(SEED);
  const url = direct.href;
  let keys: Keys | undefined;
  await prepareStore({ databaseUrl: url }, receivers.port, SEED, async (db) => {
    keys = await fillStore(db);
  });
  if (keys === undefined) throw new Error('the store is empty');
  const faults = await serverFaults(url);
  const service = await startAttacked({
    orders: {
      flags: { databaseUrl: through.href },
      env: attackedEnv(receivers),
      seed: SEED,
    },
    keys,
  });
  const db = openPostgres({ url, poolSize: 2 });
  return { server, disk, faults, path, receivers, url, db, service };
}
