import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Arrival, ReceiverMessage } from './receivers.ts';

// Receivers in a child process that record when each change arrives. On the message `report` they
// return the arrivals since the last report. `/dead` never responds, and `/drip` sends a byte per
// second.
const clock = systemClock();
let arrivals: Arrival[] = [];

const server = createServer((request, response) => void receive(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => send({ port: (server.address() as AddressInfo).port }));
process.on('message', () => {
  send({ arrivals });
  arrivals = [];
});
process.on('disconnect', () => process.exit(0));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The clock of the process, which has fractions of a millisecond.
  const at = performance.timeOrigin + performance.now();
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { data } = JSON.parse(Buffer.concat(pieces).toString()) as {
    data: { revenueEstimate: number | null };
  };
  const path = request.url ?? '';
  arrivals.push({ path, at, change: data.revenueEstimate ?? 0 });
  if (path === '/dead') return;
  if (path === '/drip') return drip(request);
  response.writeHead(204).end();
}

async function drip({ socket }: IncomingMessage): Promise<void> {
  socket.on('error', () => undefined);
  for (const letter of 'HTTP/1.1 200 It takes very long to say so') {
    if (socket.destroyed) return;
    socket.write(letter);
    await clock.sleep(1_000);
  }
}

function send(message: ReceiverMessage): void {
  process.send?.(message);
}
