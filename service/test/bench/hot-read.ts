import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
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

/** Headers the library adds by itself. */
const ADDED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * A hot read of a calendar day, key in the query, all headers and the ETag included, against a bare
 * Node server that sends the same bytes: that header list, made beforehand, and that body. Rounds
 * alternate, so that what else the machine does hits both; the median of the round ratios counts.
 * The second ratio is against a bare server that sends type, length and body alone; there the load
 * generator's own parsing of the other headers is counted as our cost.
 */
export const bench: Bench = {
  name: 'hot read against bare node:http',
  target: 'ratio ≥ 0.80',
  async run() {
    const key = makeKey('test', seededRandom(9));
    const path = `/v1/calendar/earnings?date=2026-11-20&apikey=${key}`;
    const ours = await startChild('ours', key);
    const headers = await headersOf(`${ours.url}${path}`);
    const bare = await startChild('bare', JSON.stringify(headers));
    const least = await startChild('bare', JSON.stringify(headers.slice(0, 4)));
    const servers = [ours, bare, least];
    try {
      for (const server of servers) await load(`${server.url}${path}`, 1);
      const rounds: number[][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const rates = [0, 0, 0];
        const order = round % 2 === 0 ? [0, 1, 2] : [2, 1, 0];
        for (const at of order) rates[at] = await load(`${servers[at]?.url}${path}`, SECONDS);
        rounds.push(rates);
      }
      const ratio = median(rounds.map(([a = 0, b = 1]) => a / b));
      return {
        passed: ratio >= 0.8,
        figures: {
          ratio: ratio.toFixed(3),
          ratioAgainstTwoHeaders: median(rounds.map(([a = 0, , c = 1]) => a / c)).toFixed(3),
          oursPerSecond: Math.round(median(rounds.map(([a = 0]) => a))),
          barePerSecond: Math.round(median(rounds.map(([, b = 0]) => b))),
          twoHeadersPerSecond: Math.round(median(rounds.map(([, , c = 0]) => c))),
          bodyBytes: JSON.stringify(calendarDay()).length,
          headers: headers.length / 2,
        },
      };
    } finally {
      for (const server of servers) server.stop();
    }
  },
};

/** The header list of an answer as it is on the wire, type and length first. */
async function headersOf(url: string): Promise<string[]> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  response.resume();
  const list: string[] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index] ?? '';
    if (!ADDED.has(name.toLowerCase())) list.push(name, response.rawHeaders[index + 1] ?? '');
  }
  return list;
}

async function load(url: string, seconds: number): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were no 200`);
  return result.requests.average;
}

async function startChild(which: 'ours' | 'bare', argument: string) {
  const file = fileURLToPath(new URL('./hot-read-server.ts', import.meta.url));
  const child = spawn(process.execPath, [file, which, argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, stop: () => void child.kill() };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
