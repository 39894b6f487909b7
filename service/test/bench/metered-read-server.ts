import { openReadApiAccess } from '../../src/app/read-api.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { createReadApi } from '../../src/http/read-api.ts';
import { startServer } from '../../src/http/server.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../support/logs.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { embeddedStore } from './embedded-store.ts';
import { benchCalendar } from './bench-calendar.ts';
import { storeKeys } from './metered-keys.ts';

/**
 * Child process for the metered-read bench. Runs the whole read path with the meter on the store at
 * `URL`. Without a URL it uses an embedded store on disk and first inserts the plan's customers.
 */
const [, , plan = 'pro', url] = process.argv;
const db = url === undefined ? await embeddedStore() : await openStore({ databaseUrl: url });
if (url === undefined) await storeKeys(db, plan);
const clock = systemClock();
const log = silentLog;
const quotaBlockPercent = Number(process.env['QUOTA_BLOCK_PERCENT'] ?? 6);
const isShared = url !== undefined;
const door = await openReadApiAccess({ db, clock, log, isShared, quotaBlockPercent });
const server = await startServer({
  readApi: createReadApi({
    db,
    clock,
    log,
    endpoints: [benchCalendar()],
    random: systemRandom(),
    cache: new ResponseCache({ sizeMaxBytes: 64e6 }),
    dataSource: 'synthetic',
    ...door,
  }),
  pages: (_request, response) => response.writeHead(404).end(),
  host: '127.0.0.1',
  port: 0,
  clock,
});
process.on('message', () => process.send?.(process.cpuUsage()));
process.stdout.write(`${server.url}\n`);
