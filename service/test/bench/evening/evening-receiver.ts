import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../src/platform/clock.ts';
import type { EveningArrival } from './receive-results.ts';

// A receiver in a child process that records when the result of each company arrives. Responds to
// every POST with 204. On any message it sends all arrivals.
const clock = systemClock();
const arrivals: EveningArrival[] = [];

const server = createServer((request, response) => void receive(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.on('message', () => process.send?.({ arrivals }));
process.on('disconnect', () => process.exit(0));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = clock.now();
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { context, data } = JSON.parse(Buffer.concat(pieces).toString()) as {
    context: { symbol: string };
    data: { eps: number | null; revenue: number | null };
  };
  if (data.eps !== null) arrivals.push({ path: request.url ?? '', symbol: context.symbol, at });
  response.writeHead(204).end();
}
