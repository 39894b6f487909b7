import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/storage/db.ts';
import { agentWorld, receiver } from '../support/agent-world.ts';
import { deliverToUrls } from '../support/recorded-attempts.ts';
import { reply } from '../support/receiver.ts';
import { emptyStore, memoryStore } from '../support/stores.ts';

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterEach(() => emptyStore(db));
afterAll(() => db.close());

/** Returns targets that an attacker would choose. `port` is the port of a listener. */
function targetUrls(port: number): string[] {
  return [
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'http://[fd00:ec2::254]/latest/',
    'http://168.63.129.16/machine',
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `https://hooks.example.com@127.0.0.1:${port}/`,
    'file:///etc/passwd',
    `file://127.0.0.1:${port}/etc/passwd`,
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:70/_POST',
    'dict://127.0.0.1:11211/stats',
    'ws://127.0.0.1/',
    'javascript:alert(1)',
    'data:text/plain,hello',
    '/hook',
    '',
    '?again',
    'http://',
  ];
}

test.each([300, 301, 302, 303, 304, 305, 307, 308])(
  'does not follow a redirect with status %i, and records it as a redirect',
  async (status) => {
    const inside = await receiver((socket) => socket.end(reply(200)), { host: '0.0.0.0' });
    const targets = targetUrls(inside.port);
    // Returns other headers that contain a redirect target. Some clients follow them.
    const extraHeaders = (target: string) => [
      `Refresh: 0; url=${target}`,
      `Content-Location: ${target}`,
    ];
    const hostile = await receiver((socket, n) => {
      const target = targets[n] ?? '';
      socket.write(reply(status, [`Location: ${target}`, ...extraHeaders(target)]));
    });
    const world = agentWorld({
      allow: [`127.0.0.1:${hostile.port}`, `127.0.0.0/8:${inside.port}`, `[::1]:${inside.port}`],
    });
    const urls = targets.map((_, n) => `http://127.0.0.1:${hostile.port}/hook/${n}`);
    const rows = await deliverToUrls(db, world, { urls });
    expect(rows).toHaveLength(targets.length);
    for (const row of rows) {
      expect(row).toMatchObject({
        state: 'retrying',
        status,
        code: 'redirect',
        address: '127.0.0.1',
      });
    }
    const locations = rows.map(
      ({ headers }) => headers?.find(([name]) => name === 'Location')?.[1] ?? '',
    );
    expect(locations.toSorted()).toEqual(targets.toSorted());
    expect(new Set(world.connections.tried.map(({ port }) => port))).toEqual(
      new Set([hostile.port]),
    );
    expect(inside.connectionCount()).toBe(0);
    // Each delivery must have made exactly one POST, to the path of its endpoint.
    const requestLines = hostile.received.flatMap(
      (bytes) => bytes.toString().match(/^POST \S+/gm) ?? [],
    );
    expect(requestLines.toSorted()).toEqual(
      urls.map((url) => `POST ${new URL(url).pathname}`).toSorted(),
    );
  },
);
