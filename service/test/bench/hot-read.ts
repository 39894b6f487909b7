import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { makeKey } from '../../src/accounts/key-format.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Bench } from './bench.ts';
import { calendarDay } from './calendar-day.ts';

const ROUNDS = 7;
const SECONDS = 2;
const CONNECTIONS = 32;

/**
 * A hot read of a calendar day, key in the query, all headers and the ETag included, against a
 * bare Node server that sends the same body with two headers. Rounds alternate, so that what else
 * the machine does hits both; the median of the round ratios counts.
 */
export const bench: Bench = {
  name: 'hot read against bare node:http',
  target: 'ratio ≥ 0.80',
  async run() {
    const key = makeKey('test', seededRandom(9));
    const ours = await startChild('ours', key);
    const bare = await startChild('bare', key);
    const path = `/v1/calendar/earnings?date=2026-11-20&apikey=${key}`;
    try {
      await load(`${bare.url}${path}`, 1);
      await load(`${ours.url}${path}`, 1);
      const rounds: { ours: number; bare: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const first = round % 2 === 0;
        const a = await load(`${first ? ours.url : bare.url}${path}`, SECONDS);
        const b = await load(`${first ? bare.url : ours.url}${path}`, SECONDS);
        rounds.push(first ? { ours: a, bare: b } : { ours: b, bare: a });
      }
      const ratio = median(rounds.map((round) => round.ours / round.bare));
      return {
        passed: ratio >= 0.8,
        figures: {
          ratio: ratio.toFixed(3),
          oursPerSecond: Math.round(median(rounds.map((round) => round.ours))),
          barePerSecond: Math.round(median(rounds.map((round) => round.bare))),
          bodyBytes: JSON.stringify(calendarDay()).length,
        },
      };
    } finally {
      ours.stop();
      bare.stop();
    }
  },
};

async function load(url: string, seconds: number): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were no 200`);
  return result.requests.average;
}

async function startChild(which: 'ours' | 'bare', key: string) {
  const file = fileURLToPath(new URL('./hot-read-server.ts', import.meta.url));
  const child = spawn(process.execPath, [file, which, key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, stop: () => void child.kill() };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
