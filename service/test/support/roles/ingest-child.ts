import { startIngest } from '../../../src/app/app.ts';
import { silentLog } from '../logs.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import { createShutdown } from '../../../src/platform/shutdown.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { fastClock } from './fast-clock.ts';
import { scriptedFiles } from './scripted-files.ts';

// The production ingestion role in a separate process, with a scripted source. Prints `ready`, then
// every stored count. `speed` shortens its waits, so that a standby takes over within seconds.
const { url, seed, speed } = JSON.parse(process.argv[2] ?? '') as Orders;
const log = silentLog;
const clock = fastClock(speed);
const settings = readSettings({
  flags: { databaseUrl: url, sources: 'files' },
  env: {},
  cwd: process.cwd(),
  sources: [{ name: 'files', settings: [] }],
});
const shutdown = createShutdown({ clock, log, process, limitMs: 30_000 * speed });
const source = scriptedFiles(clock, seededRandom(seed), (symbol, count) =>
  process.stdout.write(`${symbol} ${count}\n`),
);
const role = await startIngest({ settings, kind: 'live', clock, log, shutdown }, [source]);
role.markReady();
process.stdout.write('ready\n');
await role.feed();

interface Orders {
  url: string;
  seed: number;
  speed: number;
}
