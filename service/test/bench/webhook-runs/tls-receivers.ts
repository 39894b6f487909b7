import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';

// A receiver for any host name in a child process. Responds to every request of one packet with 204.
// On the message `close` it closes all connections, and on `report` it returns its counts.
const [, , key = '', cert = ''] = process.argv;
const counts = { connections: 0, resumed: 0 };
const sockets = new Set<{ destroy(): void }>();

const server = createServer({ key, cert }, (socket) => {
  counts.connections += 1;
  if (socket.isSessionReused()) counts.resumed += 1;
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  let read = '';
  socket.on('data', (chunk: Buffer) => {
    read += chunk.toString('latin1');
    if (!read.endsWith('}')) return;
    read = '';
    socket.write('HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=120\r\n\r\n');
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('message', (text) => {
  if (text === 'close') for (const socket of sockets) socket.destroy();
  process.send?.(counts);
});
process.on('disconnect', () => process.exit(0));
