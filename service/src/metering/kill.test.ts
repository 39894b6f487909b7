import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../platform/random.ts';
import { openStore } from '../storage/open-store.ts';
import { loadUses } from './quota-store.ts';

const KILLS = Number(process.env['AFTERBELL_KILLS'] ?? 2);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_120);
const IN_FLIGHT = 12;

test(
  `keeps every served request in the day and month counts after kill -9, plus at most the requests in flight (seed ${SEED})`,
  { timeout: 240_000 + KILLS * 20_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'afterbell-kill-meter-'));
    const random = seededRandom(SEED);
    let admittedBefore = new Map<string, number>();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const answered = await takeUntilKilled(folder, 1 + random.int(2_000));
      const db = await openStore({ folder });
      const uses = await loadUses(db);
      await db.close();
      expect(uses.size).toBe(3);
      let besides = 0;
      for (const [customerId, { dayCount, monthCount }] of uses) {
        const note = `${customerId}, kill ${kill} of seed ${SEED}`;
        const inFlight =
          dayCount - (admittedBefore.get(customerId) ?? 0) - (answered.get(customerId) ?? 0);
        expect(inFlight, note).toBeGreaterThanOrEqual(0);
        expect(monthCount, note).toBe(dayCount);
        besides += inFlight;
      }
      expect(besides, `kill ${kill} of seed ${SEED}`).toBeLessThanOrEqual(IN_FLIGHT);
      admittedBefore = new Map(Array.from(uses, ([customerId, use]) => [customerId, use.dayCount]));
    }
    await rm(folder, { recursive: true });
  },
);

/**
 * Lets a child process consume quota and kills it after the given number of admissions. Returns the
 * number of admissions per customer.
 */
async function takeUntilKilled(folder: string, afterMs: number): Promise<Map<string, number>> {
  const script = fileURLToPath(new URL('../../test/support/meter-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, folder, String(IN_FLIGHT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  // Waits for the exit, because the output closes shortly before the process exits and releases its
  // lock.
  const exited = once(child, 'exit');
  const answered = new Map<string, number>();
  let count = 0;
  for await (const customerId of createInterface({ input: child.stdout })) {
    answered.set(customerId, (answered.get(customerId) ?? 0) + 1);
    count += 1;
    if (count === afterMs) child.kill('SIGKILL');
  }
  await exited;
  expect(count).toBeGreaterThanOrEqual(afterMs);
  return answered;
}
