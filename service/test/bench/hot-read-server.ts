import { createServer } from 'node:http';
import { createReadApi } from '../../src/http/read-api.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { startServer } from '../../src/http/server.ts';
import { fixedApiKeyCache } from '../../src/accounts/keys/api-key-cache.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../support/logs.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { keyRecordOf } from '../support/key-record.ts';
import { benchCalendar } from './bench-calendar.ts';
import { calendarDay } from './calendar-day.ts';

/**
 * Child process for the hot-read bench. `ours KEY` serves the whole read path. `bare HEADERS` is a
 * minimal Node server that sends the given header list (JSON) and the same body. Prints its
 * address, and replies to any message with the CPU time used.
 */
const [, , which, argument = ''] = process.argv;
if (which === 'ours') await startOurs(argument);
else startBare(JSON.parse(argument) as string[]);

process.on('message', () => process.send?.(process.cpuUsage()));

async function startOurs(key: string): Promise<void> {
  const clock = systemClock();
  const readApi = createReadApi({
    endpoints: [benchCalendar()],
    db: { query: () => Promise.reject(new Error('the bench has no store')) },
    clock,
    random: systemRandom(),
    keys: fixedApiKeyCache([keyRecordOf(key)]),
    cache: new ResponseCache({ sizeMaxBytes: 64_000_000 }),
    dataSource: 'synthetic',
    log: silentLog,
  });
  const server = await startServer({
    readApi,
    pages: (_request, response) => response.writeHead(404).end(),
    host: '127.0.0.1',
    port: 0,
    clock,
  });
  process.stdout.write(`${server.url}\n`);
}

function startBare(headers: string[]): void {
  const body = Buffer.from(JSON.stringify(calendarDay()));
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
  });
}
