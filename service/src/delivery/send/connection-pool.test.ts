import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { Connection } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';

const ORIGIN = 'https://hooks.example.com';
const ADDRESS = '203.0.113.7';

/** Creates a connection whose receiver may end it without the socket having been closed yet. */
function connection() {
  const state = { isAlive: true, isDestroyed: false };
  const made = {
    origin: ORIGIN,
    address: ADDRESS,
    openedAtMs: 0,
    socket: new EventEmitter(),
    isAlive: () => state.isAlive,
    destroy: () => (state.isDestroyed = true),
  } as unknown as Connection;
  return { made, state };
}

function world() {
  const pool = new ConnectionPool({ clock: fakeClock(0), idleMax: 10 });
  return { pool, take: () => pool.take(ORIGIN, [ADDRESS]) };
}

test('closes a connection that its receiver ended while it was in use, instead of keeping it', () => {
  const { pool, take } = world();
  const { made, state } = connection();
  state.isAlive = false;
  pool.release(made);
  expect(state.isDestroyed).toBe(true);
  expect(take()).toBeNull();
});

test('never takes a connection that its receiver has ended but that is not closed yet', () => {
  const { pool, take } = world();
  const [first, ended] = [connection(), connection()];
  pool.release(first.made);
  pool.release(ended.made);
  ended.state.isAlive = false;
  expect(take()).toBe(first.made);
  expect([first.state.isDestroyed, ended.state.isDestroyed]).toEqual([false, true]);
});
