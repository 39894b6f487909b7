import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fixedApiKeyCache } from '../../src/accounts/keys/api-key-cache.ts';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { createReadApi } from '../../src/http/read-api.ts';
import { startServer } from '../../src/http/server.ts';
import { createIngest } from '../../src/ingest/ingest.ts';
import { replayFolder } from '../../src/ingest/replay/replay-folder.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../support/logs.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { keyRecordOf } from '../support/key-record.ts';
import type { FeedFigures, ReplayFigures } from './replay-figures.ts';

/**
 * Child process for the replay bench: `KEY RECORDINGS DATA_FOLDER [DATABASE_URL]`. Prints its
 * address, serves reads, ingests the recordings when it receives a message, and replies with its
 * figures.
 */
const [, , key = '', recordings = '', folder = '', databaseUrl] = process.argv;
const clock = systemClock();
const db = await openStore(databaseUrl === undefined ? { folder } : { databaseUrl });
const cache = new ResponseCache({ sizeMaxBytes: 64_000_000 });
const ingest = createIngest({
  db,
  clock,
  providers,
  onCommit: (topics) => cache.invalidate(topics),
});
const server = await startServer({
  readApi: createReadApi({
    endpoints,
    db,
    clock,
    cache,
    random: systemRandom(),
    keys: fixedApiKeyCache([keyRecordOf(key)]),
    dataSource: 'recorded',
    log: silentLog,
  }),
  pages: (_request, response) => response.writeHead(404).end(),
  host: '127.0.0.1',
  port: 0,
  clock,
});
process.stdout.write(`${server.url}\n`);
process.once('message', () => void replay().then((figures) => process.send?.(figures)));

async function replay(): Promise<ReplayFigures> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const cpuBefore = process.cpuUsage();
  const startedMs = clock.monotonicMs();
  const feeds = new Map<string, FeedFigures>();
  await replayFolder({
    folder: recordings,
    async ingest(response) {
      const beganMs = clock.monotonicMs();
      const report = await ingest(response);
      const name = report.feed ?? 'unclaimed';
      const feed = feeds.get(name) ?? { responses: 0, rows: 0, seconds: 0 };
      feed.responses += 1;
      feed.seconds += (clock.monotonicMs() - beganMs) / 1000;
      for (const { rowsSeen } of report.datasets) feed.rows += rowsSeen;
      feeds.set(name, feed);
      return report;
    },
  });
  delay.disable();
  const cpu = process.cpuUsage(cpuBefore);
  return {
    seconds: (clock.monotonicMs() - startedMs) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    memoryMb: process.resourceUsage().maxRSS / 1024,
    loopDelayMs: [50, 99, 100].map((at) => delay.percentile(at) / 1e6),
    feeds: Object.fromEntries(feeds),
  };
}
