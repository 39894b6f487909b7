import { withLease } from '../../src/ingest/lease.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';

// A process that holds a lease until it is killed. Arguments: database URL, name of the lease.
const [url = '', name = ''] = process.argv.slice(2);
const clock = systemClock();
const log = createLog({
  level: 'silent',
  clock,
  write: () => undefined,
  isTerminal: false,
  secrets: [],
});
await withLease(
  { db: openPostgres({ url }), clock, log, holder: `child ${process.pid}` },
  name,
  new AbortController().signal,
  {
    work() {
      process.stdout.write('held\n');
      return new Promise(() => undefined);
    },
  },
);
