import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { runAfterbell, scratchFolder } from '../support/afterbell-process.ts';
import { freePort } from '../support/postgres-cluster.ts';
import { type Reader, sendRequest, startReader } from '../support/roles/reader.ts';
import { createKey, type RoleEnv, settingsOf, startRole } from '../support/roles/start-role.ts';
import { postgresStore } from '../support/stores.ts';

const TIMEOUT = { timeout: 240_000 };
/** For a busy machine. */
const SOON = { timeout: 60_000, interval: 10 };
const PATH = '/v1/market-status';
const clock = systemClock();

test(
  'serves one port with two processes: exact quotas, one crash, and no failed request at the end',
  TIMEOUT,
  async ({ skip }) => {
    const store = await postgresStore();
    if ('missing' in store) return skip(store.missing);
    onTestFinished(() => store.db.close());
    const [port, metricsPort] = [await freePort(), await freePort()];
    const processes = { processes: 2, metricsPort, drainSeconds: 4 };
    const env: RoleEnv = { url: store.url, folder: scratchFolder(), ...processes };
    const small = await createKey(store.db, env, { name: 'small', perMinute: 9_000, perDay: 40 });
    const wide = await createKey(store.db, env, { name: 'wide', perMinute: 1e6, perDay: null });
    const node = await startRole('serve', env, port);
    expect(node.output.stderr.match(/set-up#/g), 'the setup link appears once').toHaveLength(1);

    // Every request has a connection of its own, so both processes count.
    const statuses: (number | null)[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      const requests = Array.from({ length: 20 }, () =>
        sendRequest({ port, key: small, path: PATH }),
      );
      statuses.push(...(await Promise.all(requests)).map(({ status }) => status));
    }
    expect(countBy(statuses)).toEqual({ 200: 40, 429: 60 });
    expect(await requestsIn(metricsPort)).toBe(100);

    const readers = Array.from({ length: 6 }, () =>
      startReader(port, { key: wide, nextPath: () => PATH, pauseMs: 5 }),
    );
    await progress(readers);
    const before = await requestsIn(metricsPort);
    const [killed = 0] = childrenOf(node.child.pid);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => ready(metricsPort), SOON).toBe(503);
    expect(await requestsIn(metricsPort)).toBeGreaterThanOrEqual(before);
    await progress(readers);
    await expect.poll(() => ready(metricsPort), SOON).toBe(200);
    expect(childrenOf(node.child.pid)).toHaveLength(2);
    // A reader loses its connection to the killed process at most once.
    for (const reader of readers) {
      const lost = reader.responses.filter(({ status }) => status !== 200);
      expect(lost.map(({ status }) => status)).toEqual(lost.length === 0 ? [] : [null]);
    }
    const counts = readers.map((reader) => reader.responses.length);

    node.child.kill('SIGTERM');
    await expect.poll(() => ready(metricsPort), SOON).toBe(503);
    expect((await sendRequest({ port, key: '', path: '/readyz' })).status).toBe(503);
    await progress(readers);
    await Promise.all(readers.map((reader) => reader.stop()));
    const last = readers.flatMap(({ responses }, at) => responses.slice(counts[at]));
    expect(last.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await node.ended).toBe(0);
  },
);

test('reports a failed start once and ends with an error', TIMEOUT, async ({ skip }) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  onTestFinished(() => store.db.close());
  const env = { ...settingsOf({ url: store.url, folder: scratchFolder() }), SIGN_UP_PLAN: 'lost' };
  const args = ['serve', '--processes', '3', '--port', String(await freePort())];
  const { code, stderr } = await runAfterbell(args, env);
  expect(code).toBe(1);
  expect(stderr.match(/SIGN_UP_PLAN/g)).toHaveLength(1);
});

/** Resolves when every reader has received ten more responses. */
async function progress(readers: readonly Reader[]): Promise<void> {
  const goals = readers.map(({ responses }) => responses.length + 10);
  while (readers.some(({ responses }, at) => responses.length < (goals[at] ?? 0))) {
    await clock.sleep(10);
  }
}

function countBy(statuses: readonly (number | null)[]): Record<string, number> {
  const groups = Object.groupBy(statuses, String);
  return Object.fromEntries(Object.entries(groups).map(([name, all]) => [name, all?.length ?? 0]));
}

async function ready(port: number): Promise<number | null> {
  return (await sendRequest({ port, key: '', path: '/readyz' })).status;
}

/** Returns the number of authenticated requests that the node reports. */
async function requestsIn(port: number): Promise<number> {
  const { body } = await sendRequest({ port, key: '', path: '/metrics' });
  const lines = body.matchAll(/^afterbell_requests_total\{.*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

function childrenOf(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map(Number);
}
