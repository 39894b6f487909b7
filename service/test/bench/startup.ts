import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/platform/clock.ts';
import type { Bench } from './bench.ts';

const ROUNDS = 3;
const FIRST_SECONDS_MAX = 15;
const AGAIN_SECONDS_MAX = 5;
const BINARY = fileURLToPath(new URL('../../bin/afterbell.js', import.meta.url));

/**
 * Measures the time from calling `start` to its `ready` line, first on a new folder, then on the
 * same folder again.
 */
export const bench: Bench = {
  name: 'sandbox startup',
  target: `first start ≤ ${FIRST_SECONDS_MAX} s, second start ≤ ${AGAIN_SECONDS_MAX} s`,
  async run() {
    const first: number[] = [];
    const secondStarts: number[] = [];
    const help: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'afterbell-bench-'));
      try {
        first.push(await secondsToReady(folder));
        secondStarts.push(await secondsToReady(folder));
        help.push(await secondsToEnd(['--help']));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return {
      passed: median(first) <= FIRST_SECONDS_MAX && median(secondStarts) <= AGAIN_SECONDS_MAX,
      figures: {
        firstSeconds: median(first).toFixed(1),
        againSeconds: median(secondStarts).toFixed(1),
        helpSeconds: median(help).toFixed(2),
      },
    };
  },
};

async function secondsToReady(folder: string): Promise<number> {
  const clock = systemClock();
  const beganMs = clock.monotonicMs();
  const child = spawn(process.execPath, [BINARY, 'start', '--port', '0', '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: tmpdir(),
  });
  const ended = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error('the service exited before it was ready'))),
  ]);
  const seconds = (clock.monotonicMs() - beganMs) / 1000;
  child.kill('SIGTERM');
  await ended;
  return seconds;
}

async function secondsToEnd(args: readonly string[]): Promise<number> {
  const clock = systemClock();
  const beganMs = clock.monotonicMs();
  await once(spawn(process.execPath, [BINARY, ...args], { stdio: 'ignore' }), 'exit');
  return (clock.monotonicMs() - beganMs) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
