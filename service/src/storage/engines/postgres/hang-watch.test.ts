import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../../../../test/support/fake-clock.ts';
import { watchForHangs } from './hang-watch.ts';

/**
 * Starts a server that runs `greet` for each connection, and returns a fake client that counts how
 * often it is closed.
 */
async function stage(greet: (socket: Socket) => void) {
  let probes = 0;
  const server = createServer((socket) => {
    probes += 1;
    socket.on('error', () => undefined);
    greet(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const clock = fakeClock(0);
  const watch = watchForHangs({ url: `postgres://nobody@127.0.0.1:${port}/none`, clock });
  onTestFinished(() => watch.stop());
  let cuts = 0;
  const end = (): Promise<void> => {
    cuts += 1;
    return Promise.resolve();
  };
  const client = { end } as unknown as pg.ClientBase;
  return { clock, watch, client, asked: () => probes, cuts: () => cuts };
}

test("closes the connection of a slow call when the server doesn't respond to a probe", async () => {
  const { clock, watch, client, cuts } = await stage((socket) => socket.destroy());
  watch.callStarted(client);
  await clock.advance(5_000);
  await expect.poll(cuts).toBe(1);
});

test("doesn't interrupt a slow call while the server responds to probes", async () => {
  const busy = message('E', 'SFATAL\0VFATAL\0C57P03\0Mstarting up\0\0');
  const {
    clock,
    watch,
    client,
    asked: probes,
    cuts,
  } = await stage((socket) => {
    socket.once('data', () => socket.end(busy));
  });
  watch.callStarted(client);
  for (let count = 1; count <= 3; count += 1) {
    const askedLater = async () => {
      await clock.advance(5_000);
      return probes();
    };
    await expect.poll(askedLater).toBeGreaterThanOrEqual(count);
  }
  expect(cuts()).toBe(0);
});

test('sends no probe to the server for fast calls', async () => {
  const { clock, watch, client, asked: probes } = await stage((socket) => socket.destroy());
  for (let call = 0; call < 5; call += 1) {
    const ended = watch.callStarted(client);
    await clock.advance(2_000);
    ended();
  }
  await clock.advance(20_000);
  expect(probes()).toBe(0);
});

function message(letter: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content)]);
}
