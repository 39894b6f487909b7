import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openStore } from './open-store.ts';

const KILLS = Number(process.env['AFTERBELL_KILLS'] ?? 3);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_260_301);

test(
  `keeps every acknowledged write to the embedded store after kill -9 (seed ${SEED})`,
  { timeout: 240_000 + KILLS * 20_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'afterbell-kill-'));
    const draw = drawer(SEED);
    let acknowledged = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = acknowledged;
      acknowledged = Math.max(acknowledged, await writeUntilKilled(folder, 1 + (draw() % 200)));
      const db = await openStore({ folder });
      // Returns every number with its row count, in order. Scans a small table.
      const rows = await db.query<{ n: number; rows: number }>(
        'select n, count(*) as rows from kill_row group by n order by n',
      );
      await db.close();
      const note = `kill ${kill} of seed ${SEED}`;
      expect(acknowledged, note).toBeGreaterThan(before);
      expect(rows, note).toEqual(rows.map((_, index) => ({ n: index + 1, rows: 2 })));
      expect([acknowledged, acknowledged + 1], note).toContain(rows.length);
      acknowledged = rows.length;
    }
    await rm(folder, { recursive: true });
  },
);

/**
 * Starts a child process that writes rows, kills it after some acknowledgments, and returns the
 * last acknowledged number.
 */
async function writeUntilKilled(folder: string, after: number): Promise<number> {
  const script = fileURLToPath(new URL('../../test/support/writer-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The output closes shortly before the process exits and releases the lock.
  const exited = once(child, 'exit');
  let last = 0;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'open') continue;
    last = Number(line);
    count += 1;
    if (count === after) child.kill('SIGKILL');
  }
  await exited;
  return last;
}

/**
 * Returns a function that draws small random integers. The same seed produces the same integers.
 */
function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
