import { createServer, type ServerResponse } from 'node:http';
import type { ApiKey } from '../../../src/accounts/keys/api-key.ts';
import { writeChanges } from '../../../src/datasets/changes/store.ts';
import { createReadApi } from '../../../src/http/read-api.ts';
import { ResponseCache } from '../../../src/http/response-cache.ts';
import { startServer } from '../../../src/http/server.ts';
import { ChangeStreams } from '../../../src/http/stream/change-streams.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import { keyRecordOf } from '../../support/key-record.ts';
import { silentLog } from '../../support/logs.ts';
import { changeOf } from '../../support/stream-world.ts';
import { embeddedStore } from '../embedded-store.ts';

/**
 * Child process for the stream bench. `ours` serves streams of an embedded store. `bare` writes the
 * same bytes to every open response. A message with a number commits as many changes. Replies to
 * every message with the CPU time used and the memory in use.
 */
const isOurs = process.argv[2] === 'ours';
const commit = isOurs ? await startOurs() : startBare();

// Ends with its parent, also if that fails.
process.once('disconnect', () => process.exit());
process.on('message', (changes: number) => {
  void commit(changes).then(() => {
    globalThis.gc?.();
    process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
  });
});

async function startOurs(): Promise<(changes: number) => Promise<void>> {
  const db = await embeddedStore();
  const clock = systemClock();
  const keys = { find: keyOf, current: (key: ApiKey) => key };
  const parts = { db, clock, log: silentLog, keys, dataSource: 'synthetic' } as const;
  const streams = new ChangeStreams(parts);
  const readApi = createReadApi({
    ...parts,
    endpoints: [],
    streams,
    random: systemRandom(),
    cache: new ResponseCache({ sizeMaxBytes: 1e6 }),
  });
  const server = await startServer({
    readApi,
    pages: () => undefined,
    host: '127.0.0.1',
    port: 0,
    clock,
    // All streams of the bench come from one address.
    limits: { connectionsPerAddressMax: 10_000 },
  });
  process.stdout.write(`${server.url}\n`);
  return async (count) => {
    if (count === 0) return;
    const changes = Array.from({ length: count }, () => changeOf(0));
    await db.transaction((tx) => writeChanges(tx, changes, new Set(), clock.now()));
    streams.wake();
  };
}

/** Every key is valid. A hundred streams share a customer, which is the limit. */
function keyOf(text: string): ApiKey {
  const customerId = `cus_${Math.floor(Number(text.split('_').at(-1)) / 100)}`;
  return keyRecordOf(text, { customerId });
}

function startBare(): (changes: number) => Promise<void> {
  const responses = new Set<ServerResponse>();
  let id = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: ${id}\n\n`);
    responses.add(response);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
  });
  return async (count) => {
    for (let i = 0; i < count; i += 1) {
      id += 1;
      const row = JSON.stringify({ ...changeOf(0), id, at: '2026-11-20T15:00:00Z' });
      const event = Buffer.from(`id: ${id}\nevent: change\ndata: ${row}\n\n`);
      for (const response of responses) response.write(event);
    }
  };
}
