import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { scratchFolder } from '../support/afterbell-process.ts';
import { freePort } from '../support/postgres-cluster.ts';
import { startBalancer } from '../support/roles/balancer.ts';
import { createKey, startRole } from '../support/roles/start-role.ts';
import { sendRequest, startReader } from '../support/roles/reader.ts';
import { postgresStore } from '../support/stores.ts';

const TIMEOUT = { timeout: 240_000 };
const clock = systemClock();

test(
  'completes every request behind a plain TCP load balancer while two nodes restart in turn',
  TIMEOUT,
  async ({ skip }) => {
    const store = await postgresStore();
    if ('missing' in store) return skip(store.missing);
    onTestFinished(() => store.db.close());
    const env = { url: store.url, folder: scratchFolder(), drainSeconds: 2 };
    const key = await createKey(store.db, env, {
      name: 'wide',
      perMinute: 1_000_000,
      perDay: null,
    });
    const ports = [await freePort(), await freePort()];
    const nodes = new Map(
      await Promise.all(
        ports.map(async (port) => [port, await startRole('serve', env, port)] as const),
      ),
    );
    const balancer = await startBalancer(ports);
    onTestFinished(() => balancer.close());
    while (balancer.readyPorts().length < 2) await clock.sleep(50);
    const pathOf = () => '/v1/market-status';
    const readers = Array.from({ length: 4 }, () =>
      startReader(balancer.port, { key, nextPath: pathOf, pauseMs: 5 }),
    );
    for (const port of ports) {
      await clock.sleep(500);
      const old = nodes.get(port);
      old?.child.kill('SIGTERM');
      expect(await notReady(port), 'reports not ready before it exits').toBe(503);
      expect(await old?.ended).toBe(0);
      nodes.set(port, await startRole('serve', env, port));
      while (balancer.readyPorts().length < 2) await clock.sleep(50);
    }
    const responses = () => readers.flatMap((reader) => reader.responses);
    while (responses().length <= 200) await clock.sleep(50);
    await Promise.all(readers.map((reader) => reader.stop()));
    expect(responses().filter(({ status }) => status !== 200)).toEqual([]);
    // Each node must have served requests before and after the restarts.
    for (const count of balancer.connections.values()) expect(count).toBeGreaterThan(2);
    for (const node of nodes.values()) node.child.kill('SIGTERM');
    for (const node of nodes.values()) expect(await node.ended).toBe(0);
  },
);

/** Returns the status of the first response that is not 200, or null if the connection was lost. */
async function notReady(port: number): Promise<number | null> {
  for (;;) {
    const { status } = await sendRequest({ port, key: '', path: '/readyz' });
    if (status !== 200) return status;
    await clock.sleep(20);
  }
}
