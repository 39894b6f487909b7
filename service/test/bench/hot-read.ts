import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { makeKey } from '../../src/accounts/keys/key-format.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Bench } from './bench.ts';
import { calendarDay } from './calendar-day.ts';

const RATIO_MIN = 0.8;
const ROUNDS = 11;
const SECONDS = 1;
const CONNECTIONS = 32;

/** Headers the library adds by itself. */
const ADDED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * A hot read of a calendar day, key in the query, all headers and the ETag included, against a bare
 * Node server that sends the same bytes: that header list, made beforehand, and that body. Rounds
 * alternate, so that what else the machine does hits both; the median of the round ratios counts.
 * A second bare server sends type, length and body alone; both ratios must reach the target. `cpuMicros…` is processor time of the
 * server for one request: it tells the cost apart from the load generator's own.
 */
export const bench: Bench = {
  name: 'hot read against bare node:http',
  target: 'both ratios ≥ 0.80',
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
      const rounds: Load[][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const loads: Load[] = [];
        const order = round % 2 === 0 ? [0, 1, 2] : [2, 1, 0];
        for (const at of order) loads[at] = await measure(servers[at] ?? ours, path);
        rounds.push(loads);
      }
      const ratio = middle(rounds, ([a, b]) => a.perSecond / b.perSecond);
      const againstTwoHeaders = middle(rounds, ([a, , c]) => a.perSecond / c.perSecond);
      return {
        passed: Math.min(ratio, againstTwoHeaders) >= RATIO_MIN,
        figures: {
          ratio: ratio.toFixed(3),
          ratioAgainstTwoHeaders: againstTwoHeaders.toFixed(3),
          oursPerSecond: Math.round(middle(rounds, ([a]) => a.perSecond)),
          barePerSecond: Math.round(middle(rounds, ([, b]) => b.perSecond)),
          twoHeadersPerSecond: Math.round(middle(rounds, ([, , c]) => c.perSecond)),
          cpuMicrosOurs: middle(rounds, ([a]) => a.cpuMicros).toFixed(1),
          cpuMicrosBare: middle(rounds, ([, b]) => b.cpuMicros).toFixed(1),
          cpuMicrosTwoHeaders: middle(rounds, ([, , c]) => c.cpuMicros).toFixed(1),
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

interface Load {
  perSecond: number;
  /** Processor time of the server for one request. */
  cpuMicros: number;
}

type Child = Awaited<ReturnType<typeof startChild>>;

async function measure(server: Child, path: string): Promise<Load> {
  const before = await server.cpuMicros();
  const result = await load(`${server.url}${path}`, SECONDS);
  const used = (await server.cpuMicros()) - before;
  const { total } = result.requests;
  return { perSecond: total / result.duration, cpuMicros: used / total };
}

async function load(url: string, seconds: number) {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were no 200`);
  return result;
}

async function startChild(which: 'ours' | 'bare', argument: string) {
  const file = fileURLToPath(new URL('./hot-read-server.ts', import.meta.url));
  const child = spawn(process.execPath, [file, which, argument], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('the child has no output');
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async cpuMicros() {
      child.send('cpu');
      const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      return usage.user + usage.system;
    },
    stop: () => void child.kill(),
  };
}

/** The median over the rounds of what `read` takes from ours, bare and the bare one of two headers. */
function middle(rounds: readonly Load[][], read: (loads: [Load, Load, Load]) => number): number {
  const values = rounds.map((loads) => read(loads as [Load, Load, Load]));
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
