import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { receiver } from '../../../test/support/agent-world.ts';
import { makeConnection } from './connection.ts';

test('is not alive once the receiver has ended the connection, even before it is closed', async () => {
  const target = await receiver(() => undefined, { onConnection: (socket) => socket.end() });
  const socket = connect({ port: target.port, host: '127.0.0.1', allowHalfOpen: true });
  const origin = `http://127.0.0.1:${target.port}`;
  const connection = makeConnection({ origin, address: '127.0.0.1', openedAtMs: 0, socket });
  await once(socket, 'connect');
  expect(connection.isAlive()).toBe(true);
  socket.resume();
  await once(socket, 'end');
  expect(socket.destroyed).toBe(false);
  expect(connection.isAlive()).toBe(false);
  connection.destroy();
});
