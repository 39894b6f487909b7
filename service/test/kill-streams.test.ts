import { expect, onTestFinished, test } from 'vitest';
import { createReadClient, type ReadClient } from '../../sdk/src/index.ts';
import { writeChanges } from '../src/datasets/changes/store.ts';
import { topics } from '../src/datasets/topics.gen.ts';
import { systemClock } from '../src/platform/clock.ts';
import { seededRandom } from '../src/platform/random.ts';
import type { Db } from '../src/storage/db.ts';
import {
  type AfterbellProcess,
  scratchFolder,
  spawnAfterbell,
} from './support/afterbell-process.ts';
import { freePort } from './support/postgres-cluster.ts';
import { createKey, startRole } from './support/roles/start-role.ts';
import { runSeed } from './support/run-size.ts';
import { postgresStore } from './support/stores.ts';
import { changeOf } from './support/stream-world.ts';

const KILLS = Number(process.env['AFTERBELL_KILLS'] ?? 1);
const SEED = runSeed();
/** Changes that the client receives between two kills, at most. */
const BETWEEN_KILLS_MAX = 300;
const FIRST = 'chg_000000000000';
const TIMEOUT = { timeout: 120_000 + KILLS * 60_000 };
const clock = systemClock();

test(
  `follows an embedded service that is killed and restarted, without loss or repetition (seed ${SEED})`,
  TIMEOUT,
  async () => {
    const port = await freePort();
    const start = async () => {
      const args = ['start', '--port', String(port), '--data-dir', folder];
      const service = spawnAfterbell(args, { SANDBOX_SYMBOLS: '50' });
      onTestFinished(() => void service.child.kill('SIGKILL'));
      await service.line(/^ready /);
      return service;
    };
    const folder = scratchFolder();
    const service = await start();
    const key = /apikey=(eds_test_\w+)/.exec(service.output.stderr)?.[1] ?? 'none was printed';
    const client = clientOf(port, key);
    const stored = (await listAll(client)).length;
    const following = startFollowing(client);
    await killAndRestart(service, start, following, (length) => length >= stored);
    await expectAll(following, await listAll(client));
  },
);

test(
  `follows a service on PostgreSQL that is killed while changes are written (seed ${SEED})`,
  TIMEOUT,
  async ({ skip }) => {
    const store = await postgresStore();
    if ('missing' in store) return skip(store.missing);
    onTestFinished(() => store.db.close());
    const env = { url: store.url, folder: scratchFolder() };
    const key = await createKey(store.db, env, {
      name: 'wide',
      perMinute: 1_000_000,
      perDay: null,
    });
    const port = await freePort();
    const start = () => startRole('serve', env, port);
    const service = await start();
    const client = clientOf(port, key);
    const following = startFollowing(client);
    const writer = startWriting(store.db);
    await killAndRestart(service, start, following, () => false);
    await writer.stop();
    await expectAll(following, await listAll(client));
  },
);

function clientOf(port: number, apiKey: string): ReadClient {
  return createReadClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey,
    retries: 100,
    wait: (_milliseconds, signal) => clock.sleep(50, signal),
  });
}

interface Following {
  /** Ids of the changes, in the order of their arrival. */
  received: string[];
  /** Called with the number of changes after each of them. */
  onChange: (length: number) => void;
  /** Rejects when the client gives up. */
  ended: Promise<never>;
  stop(): Promise<void>;
}

function startFollowing(client: ReadClient): Following {
  const aborter = new AbortController();
  const received: string[] = [];
  async function follow(): Promise<never> {
    for await (const { id } of client.followChanges({ since: FIRST }, aborter)) {
      following.onChange(received.push(id));
    }
    throw new Error('the stream ended');
  }
  const following: Following = {
    received,
    onChange: () => undefined,
    ended: follow(),
    async stop() {
      aborter.abort(new Error('the test is over'));
      await expect(following.ended).rejects.toThrow('the test is over');
    },
  };
  // Awaited together with other things.
  following.ended.catch(() => undefined);
  return following;
}

/** Kills the service when the client has received a random number of changes, or all of them. */
async function killAndRestart(
  first: AfterbellProcess,
  start: () => Promise<AfterbellProcess>,
  following: Following,
  hasAll: (length: number) => boolean,
): Promise<void> {
  const random = seededRandom(SEED);
  let service = first;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const target = following.received.length + 1 + random.int(BETWEEN_KILLS_MAX);
    const check = (length: number) => {
      if (length >= target || hasAll(length)) service.child.kill('SIGKILL');
    };
    following.onChange = check;
    check(following.received.length);
    expect(await Promise.race([service.ended, following.ended])).toBe('SIGKILL');
    following.onChange = () => undefined;
    service = await start();
  }
}

/** Writes changes in batches of random sizes until it is stopped. */
function startWriting(db: Db) {
  const random = seededRandom(SEED + 1);
  const stale = new Set([topics.changes.any]);
  let isStopped = false;
  const ended = (async () => {
    while (!isStopped) {
      const batch = Array.from({ length: 1 + random.int(40) }, () => changeOf(random.int(6)));
      await db.transaction((tx) => writeChanges(tx, batch, stale, clock.now()));
      await clock.sleep(random.int(20));
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

async function listAll(client: ReadClient): Promise<string[]> {
  const ids: string[] = [];
  for await (const { data } of client.pages('/v1/changes', { since: FIRST, limit: 1_000 })) {
    ids.push(...data.map(({ id }) => id));
  }
  return ids;
}

/** Waits until all changes have arrived. The simulated market may add more. */
async function expectAll(following: Following, expected: readonly string[]): Promise<void> {
  const last = expected.at(-1) ?? '';
  while ((following.received.at(-1) ?? '') < last) await clock.sleep(20);
  await following.stop();
  expect(expected.length).toBeGreaterThan(KILLS);
  expect(following.received.slice(0, expected.length)).toEqual(expected);
}
