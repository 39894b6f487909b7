import { setTimeout as pause } from 'node:timers/promises';
import { startAll } from '../../../src/app/app.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../logs.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import { createShutdown } from '../../../src/platform/shutdown.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { isStoreTrouble } from '../../../src/storage/errors.ts';
import { COUNT_FROM, earningsFile, ROLE_SYMBOLS } from '../roles/scripted-files.ts';

// The whole service in a separate process that continuously ingests changed estimates. Prints
// `ready URL`, `SYMBOL COUNT` for each acknowledged change, `refused` for each rejected change, and
// `strange TEXT` for anything unexpected.
const {
  flags,
  env,
  seed,
  changesPerCheckpoint = Infinity,
} = JSON.parse(process.argv[2] ?? '') as ServiceOrders;
const clock = systemClock();
const settings = readSettings({
  flags: { port: '0', sources: 'files', ...flags },
  env,
  cwd: process.cwd(),
  sources: [{ name: 'files', settings: [] }],
});
const log = silentLog;
const shutdown = createShutdown({ clock, log, process });
process.on('unhandledRejection', (error) => say(`strange unhandled ${String(error)}`));
const service = await startAll({ settings, kind: 'live', clock, log, shutdown });
service.markReady();
say(`ready ${service.url}`);
await changeAll();

async function changeAll(): Promise<void> {
  const random = seededRandom(seed);
  let last = 0;
  let changes = 0;
  while (!shutdown.signal.aborted) {
    const symbol = ROLE_SYMBOLS[random.int(ROLE_SYMBOLS.length)] ?? '';
    const observedAt = Math.max(clock.now(), last + 1);
    last = observedAt;
    const count = observedAt - COUNT_FROM;
    try {
      const report = await service.ingest(earningsFile(symbol, count, observedAt));
      const [first] = report.datasets;
      if (first?.outcome === 'ingested') {
        say(`${symbol} ${count}`);
        changes += 1;
        if (changes % changesPerCheckpoint === 0) await service.db.execute('checkpoint');
      } else say(`strange ${JSON.stringify(report)}`);
    } catch (error) {
      if (isStoreTrouble(error)) say('refused');
      else if (!shutdown.signal.aborted) say(`strange ${String(error)}`);
      await pause(20);
    }
    await pause(random.int(20));
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export interface ServiceOrders {
  flags: Record<string, string>;
  env: Record<string, string>;
  seed: number;
  /** Runs a checkpoint after this number of changes, on the embedded store. Default: never. */
  changesPerCheckpoint?: number;
}
