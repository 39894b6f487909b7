import { fixedApiKeyCache } from '../../../src/accounts/keys/api-key-cache.ts';
import { endpoints } from '../../../src/endpoints/registry.gen.ts';
import { ResponseCache } from '../../../src/http/response-cache.ts';
import { createReadApi } from '../../../src/http/read-api.ts';
import { startServer } from '../../../src/http/server.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../support/logs.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import { openStore } from '../../../src/storage/open-store.ts';
import { keyRecordOf } from '../../support/key-record.ts';
import { NOW } from './size.ts';

/**
 * Child process for the cold-reads bench: `KEY DATABASE_URL`. Prints its address, empties the
 * response cache when it receives a message, and reports its memory.
 */
const [, , key = '', databaseUrl = ''] = process.argv;
const clock = systemClock({ startAt: NOW });
const db = await openStore({ databaseUrl });
const cache = new ResponseCache({ sizeMaxBytes: 256_000_000 });
const server = await startServer({
  readApi: createReadApi({
    endpoints,
    db,
    clock,
    cache,
    random: systemRandom(),
    keys: fixedApiKeyCache([keyRecordOf(key)]),
    dataSource: 'synthetic',
    log: silentLog,
  }),
  pages: (_request, response) => response.writeHead(404).end(),
  host: '127.0.0.1',
  port: 0,
  clock,
});
process.stdout.write(`${server.url}\n`);
process.on('message', (message) => {
  if (message === 'forget') cache.invalidateAll();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed, cacheBytes: cache.sizeBytes() });
});
