import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scratchFolder } from '../support/afterbell-process.ts';
import { upcomingRow, calendarUrl, envelope } from '../support/write-recording.ts';
import { runSize } from '../support/run-size.ts';

vi.setConfig({ testTimeout: 240_000 });

const MEGABYTE = 1024 * 1024;
const CEILING_KILOBYTES = 64 * 1024;
/** Largest response body allowed from these sources. */
const BODY_BYTES_MAX = 8 * MEGABYTE - 1024;

const CALENDAR = ['nasdaq/calendar-earnings', calendarUrl('2026-02-19')] as const;
const TABLE = [
  'alphavantage/earnings-calendar',
  'https://www.alphavantage.co/query?function=EARNINGS_CALENDAR&horizon=3month',
] as const;
const HEADER = 'symbol,name,reportDate,fiscalDateEnding,estimate,currency,timeOfTheDay\n';
const SOUND = JSON.stringify(envelope([upcomingRow('MERD')]));

/** Source, body and expected result for each response, by name. */
const GIANTS: Readonly<
  Record<
    string,
    [source: readonly [string, string], send: (to: ServerResponse) => void, end: string]
  >
> = {
  'endless-200-megabytes': [CALENDAR, (to) => pour(to, 200, {}), 'too-large'],
  'bomb-of-300-megabytes': [CALENDAR, (to) => pour(to, 300, { packed: true }), 'too-large'],
  'brackets-within': [
    CALENDAR,
    whole('['.repeat(BODY_BYTES_MAX / 2) + ']'.repeat(BODY_BYTES_MAX / 2)),
    'overgrown-body',
  ],
  'announced-200-megabytes': [CALENDAR, (to) => pour(to, 200, { announced: true }), 'too-large'],
  'table-of-200-megabytes': [TABLE, (to) => pour(to, 200, {}), 'too-large'],
  'open-brackets': [CALENDAR, whole('['.repeat(BODY_BYTES_MAX)), 'overgrown-body'],
  'objects-within': [CALENDAR, whole('{"a":'.repeat(BODY_BYTES_MAX / 6)), 'overgrown-body'],
  'objects-side-by-side': [
    CALENDAR,
    whole(`[${'{},'.repeat(BODY_BYTES_MAX / 3 - 2)}{}]`),
    'overgrown-body',
  ],
  'one-long-text': [CALENDAR, whole(`{"data":"${'x'.repeat(BODY_BYTES_MAX - 20)}"}`), 'no-data'],
  commas: [TABLE, whole(HEADER + ','.repeat(BODY_BYTES_MAX - 100)), 'overgrown-body'],
  'short-lines': [TABLE, whole(HEADER + 'a\n'.repeat(BODY_BYTES_MAX / 2 - 100)), 'overgrown-body'],
};

/** The other kinds take too long for `npm test`. */
const KINDS = Object.keys(GIANTS).slice(0, runSize({ slice: 3, whole: Infinity }));

let baseline: Measurement;
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.on('error', () => undefined);
    const name = new URL(request.url ?? '', origin).pathname.split('/')[3] ?? '';
    const giant = GIANTS[name];
    if (giant === undefined) whole(SOUND)(response);
    else giant[1](response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

test('parses a normal response as a baseline for memory use', async () => {
  baseline = await fetchMeasured([pathOf(CALENDAR, 'sound')]);
  expect(baseline.outcomes).toEqual(['1 good, 0 bad']);
});

test.each(KINDS)('rejects %s with a reason, using little memory', async (name) => {
  const [source, , expected] = GIANTS[name] ?? [CALENDAR, null, ''];
  const run = await fetchMeasured([pathOf(source, name), pathOf(CALENDAR, 'sound')]);
  expect(run.outcomes).toEqual([expected, '1 good, 0 bad']);
  const extraKilobytes = run.peakKilobytes - baseline.peakKilobytes;
  console.log(`${name}: ${Math.round(extraKilobytes / 1024)} MiB above the baseline`);
  expect(extraKilobytes).toBeLessThan(CEILING_KILOBYTES);
});

function pathOf([reader, url]: readonly [string, string], name: string): string {
  return `/${reader}/${name}?of=${encodeURIComponent(url)}`;
}

interface Measurement {
  outcomes: string[];
  peakKilobytes: number;
}

/** Fetches the paths in a child process. Returns each result and the peak memory use. */
async function fetchMeasured(paths: string[]): Promise<Measurement> {
  const report = join(scratchFolder(), 'memory');
  const program = fileURLToPath(new URL('../support/fetch-and-parse.ts', import.meta.url));
  const watcher = fileURLToPath(new URL('../support/memory-report.ts', import.meta.url));
  const child = spawn(process.execPath, [`--import=${watcher}`, program, origin, ...paths], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MEMORY_REPORT: report, NODE_OPTIONS: '' },
  });
  let stdout = '';
  child.stdout.on('data', (piece: Buffer) => {
    stdout += piece.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
  const lines = stdout.trim().split('\n');
  const outcomes = lines.map((line) => (JSON.parse(line) as [string, string])[1]);
  return { outcomes, peakKilobytes: Number(readFileSync(report, 'utf8')) };
}

function whole(body: string): (to: ServerResponse) => void {
  return (to) => void to.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/**
 * Sends this many megabytes while holding only one in memory. Stops when the client disconnects.
 */
function pour(
  to: ServerResponse,
  megabytes: number,
  options: { announced?: true; packed?: true },
): void {
  to.writeHead(200, {
    'content-type': 'application/json',
    ...(options.announced && { 'content-length': String(megabytes * MEGABYTE) }),
    ...(options.packed && { 'content-encoding': 'gzip' }),
  });
  const piece = Buffer.alloc(MEGABYTE, ' ');
  const through = options.packed ? createGzip({ level: 1 }) : null;
  through?.pipe(to);
  const target = through ?? to;
  let remaining = megabytes;
  const writeMore = (): void => {
    while (remaining > 0 && !to.destroyed) {
      remaining -= 1;
      if (!target.write(piece)) return void target.once('drain', writeMore);
    }
    target.end();
  };
  writeMore();
}
