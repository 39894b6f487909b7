import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver in a process of its own: answers every POST with 204 and counts the ids it has not seen.
// GET tells the count, DELETE forgets all.
const seen = new Set<string>();
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(seen.size));
  if (request.method === 'DELETE') {
    seen.clear();
    return void response.end();
  }
  seen.add(String(request.headers['x-service-delivery-id']));
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
