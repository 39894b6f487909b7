import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { send } from '../support/read-server.ts';
import { postgresStore } from '../support/stores.ts';
import type { Bench } from './bench.ts';
import { writeMadeUpRecordings } from './made-up-recordings.ts';
import type { ReplayFigures } from './replay-figures.ts';

const ROWS_PER_SECOND_MIN = 2_500;
const COLD_P99_MS_MAX = 500;
const PAUSE_MS = 10;

type Figures = Record<string, string | number>;

/**
 * Measures how fast recordings are ingested, and the latency of concurrent reads, on both engines.
 * Uses made-up recordings, then those in the folder `AFTERBELL_RECORDINGS`, if set. Hot reads are
 * served from memory. Each cold read queries the store for a different company or day.
 */
export const bench: Bench = {
  name: 'replay',
  target: `embedded: ≥ ${ROWS_PER_SECOND_MIN} rows/s, cold reads p99 ≤ ${COLD_P99_MS_MAX} ms`,
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'afterbell-bench-'));
    const madeUpFolder = join(root, 'recordings');
    writeMadeUpRecordings(madeUpFolder);
    const real = process.env['AFTERBELL_RECORDINGS'] ?? '';
    const figures: Figures = {};
    try {
      for (const [label, recordings] of [
        ['made', madeUpFolder],
        ['real', real],
      ] as const) {
        if (recordings === '') continue;
        const data = join(root, `data-${label}`);
        Object.assign(figures, withPrefix(`${label} pglite`, await measure(recordings, data)));
        const store = await postgresStore();
        if ('missing' in store) {
          figures[`${label} postgres`] = store.missing;
          continue;
        }
        await store.db.close();
        Object.assign(
          figures,
          withPrefix(`${label} postgres`, await measure(recordings, data, store.url)),
        );
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
    const passed =
      Number(figures['made pglite rows/s']) >= ROWS_PER_SECOND_MIN &&
      Number(figures['made pglite cold p99 ms']) <= COLD_P99_MS_MAX;
    return { passed, figures };
  },
};

async function measure(recordings: string, data: string, databaseUrl?: string): Promise<Figures> {
  const key = generateKey('test', seededRandom(9));
  const file = fileURLToPath(new URL('./replay-server.ts', import.meta.url));
  const args = [file, key, recordings, data, ...(databaseUrl === undefined ? [] : [databaseUrl])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  if (child.stdout === null) throw new Error('the child process has no stdout');
  try {
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    child.send('replay');
    const over = new AbortController();
    const port = Number(new URL(url).port);
    const hot = pollReads(port, key, over.signal, () => '/v1/market-holidays');
    const cold = pollReads(port, key, over.signal, coldPath);
    const [replayed] = (await once(child, 'message')) as [ReplayFigures];
    over.abort();
    return {
      ...figuresOf(replayed),
      ...latencies('hot', await hot),
      ...latencies('cold', await cold),
    };
  } finally {
    child.kill('SIGKILL');
  }
}

/** Sends requests in a loop until stopped. Returns the latency of each request in milliseconds. */
async function pollReads(
  port: number,
  key: string,
  signal: AbortSignal,
  pathOf: (count: number) => string,
): Promise<number[]> {
  const clock = systemClock();
  const latenciesMs: number[] = [];
  while (!signal.aborted) {
    const path = pathOf(latenciesMs.length);
    const beganMs = clock.monotonicMs();
    await send(port, { path, headers: { 'x-api-key': key } });
    latenciesMs.push(clock.monotonicMs() - beganMs);
    await clock.sleep(PAUSE_MS, signal);
  }
  return latenciesMs;
}

/** Returns the path of a company or day that has not been requested yet. */
function coldPath(count: number): string {
  const letters = [676, 26, 1].map((unit) => 65 + (Math.floor(count / unit) % 26));
  if (count % 2 === 0) return `/v1/profile/A${String.fromCharCode(...letters)}`;
  const day = new Date(Date.UTC(2000, 0, 1 + (count % 9_000)));
  return `/v1/calendar/earnings?date=${day.toISOString().slice(0, 10)}`;
}

function figuresOf({ seconds, cpuSeconds, memoryMb, loopDelayMs, feeds }: ReplayFigures): Figures {
  const rows = Object.values(feeds).reduce((sum, feed) => sum + feed.rows, 0);
  const [p50 = 0, p99 = 0, longest = 0] = loopDelayMs;
  return {
    seconds: seconds.toFixed(1),
    rows,
    'rows/s': Math.round(rows / seconds),
    'cpu µs/row': Math.round((cpuSeconds * 1e6) / rows),
    'memory MB': Math.round(memoryMb),
    'loop delay p50/p99/max ms': [p50, p99, longest].map((ms) => ms.toFixed(0)).join('/'),
    ...Object.fromEntries(
      Object.entries(feeds)
        .filter(([, feed]) => feed.rows > 0)
        .map(([name, feed]) => [`${name} rows/s`, Math.round(feed.rows / feed.seconds)]),
    ),
  };
}

function latencies(name: string, latenciesMs: readonly number[]): Figures {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  return { [`${name} p50 ms`]: at(0.5), [`${name} p99 ms`]: at(0.99), [`${name} max ms`]: at(1) };
}

function withPrefix(prefix: string, figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [`${prefix} ${name}`, value]),
  );
}
