import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from './logs.ts';
import { openStore } from '../../src/storage/open-store.ts';

// Child process for the meter's kill test. Arguments: folder, number of concurrent requests.
// Consumes three customers' quota endlessly and prints the customer of each admitted request.
const [folder, inFlight] = process.argv.slice(2);
const db = await openStore({ folder });
// Starts at noon on an ordinary day, so that no midnight occurs during the test.
const clock = systemClock({ startAt: Date.parse('2026-03-04T17:00:00Z') });
const meter = await startLocalMeter({ db, clock, log: silentLog });
const limit = 1_000_000_000;
const plan = { name: 'p', perMinute: limit, perDay: limit, perMonth: limit, historyMonths: null };

async function consumeForever(customerId: string): Promise<void> {
  for (;;) {
    const result = await meter.consume({ customerId, plan, cost: 'all', now: clock.now() });
    if (result.kind === 'admitted') process.stdout.write(`${customerId}\n`);
  }
}

for (let index = 0; index < Number(inFlight); index += 1) {
  void consumeForever(`customer-${index % 3}`);
}
