import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimMarker } from '../src/storage/marker.ts';
import { openStore } from '../src/storage/open-store.ts';
import {
  runAfterbell,
  scratchFolder,
  spawnAfterbell,
  startAfterbell,
  type StartedAfterbell,
} from './support/afterbell-process.ts';
import { expectMatchesOpenApi } from './support/openapi.ts';
import { endpointOf, findPlaceholders } from './support/recorded-world.ts';
import { envelope, screenerRow, screenerUrl, writeRecording } from './support/write-recording.ts';

/** A small market, which loads faster. */
const SETTINGS = { SANDBOX_SYMBOLS: '60' };

describe('a first start on an empty folder', () => {
  const data = mkdtempSync(join(tmpdir(), 'afterbell-first-'));
  let service: StartedAfterbell;
  let demoKey: string;
  beforeAll(async () => {
    // This store is created from scratch, as a user's store would be.
    service = await startAfterbell(['--data-dir', data, '--log-level', 'debug'], {
      NODE_OPTIONS: '',
      ...SETTINGS,
    });
    demoKey = /apikey=(eds_test_\w+)/.exec(service.output.stderr)?.[1] ?? 'none was printed';
  });
  afterAll(async () => {
    await service.stop();
    rmSync(data, { recursive: true });
  });

  test('prints its address in a single line on stdout when it is ready for the first time', () => {
    expect(service.output.stdout).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  test('prints sample requests that can be pasted unchanged and return companies', async () => {
    const printed = [...service.output.stderr.matchAll(/curl '([^']+)'/g)].map(([, url]) => url);
    expect(printed).toHaveLength(2);
    for (const url of printed) {
      const answer = await fetch(url ?? '');
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      if (url?.includes('/v1/calendar/earnings')) {
        expect(rowsOf(JSON.parse(text)).length).toBeGreaterThan(0);
      }
    }
  });

  test('responds from the printed address after a first start, and marks its market as simulated', async () => {
    expect(await service.get('/readyz')).toMatchObject({ status: 200 });
    const { body } = await service.get('/openapi.json');
    expect(JSON.stringify(body)).toContain(service.url);
    expect((await service.get('/status')).body).toMatchObject({ dataSource: 'synthetic' });
  });

  test('responds with 304 to a client that already has the OpenAPI documents', async () => {
    for (const path of ['/openapi.json', '/account/openapi.json']) {
      const { headers } = await fetch(`${service.url}${path}`);
      const held = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await fetch(`${service.url}${path}`, { headers: held })).status, path).toBe(304);
    }
  });

  test('returns documented responses from every endpoint, without sentinel values and marked as synthetic', async () => {
    const symbols = new Set<string>();
    const asked = new Set<string>();
    async function ask(path: string): Promise<unknown> {
      const { status, headers, body } = await service.get(path, demoKey);
      expect(status, path).toBe(200);
      expect(headers.get('x-data-source'), path).toBe('synthetic');
      expectMatchesOpenApi(endpointOf(path), body);
      expect(findPlaceholders(body), path).toEqual([]);
      asked.add(endpointOf(path).name);
      return body;
    }
    for (const day of ['today', 'yesterday', 'tomorrow', ...(await nearbyDays(ask))]) {
      for (const { symbol } of rowsOf(await ask(`/v1/calendar/earnings?date=${day}`))) {
        symbols.add(symbol);
      }
    }
    expect(symbols.size).toBeGreaterThan(3);
    for (const symbol of [...symbols].slice(0, 25)) {
      expect(await ask(`/v1/earnings?symbol=${symbol}`)).not.toEqual([]);
      await ask(`/v1/profile/${symbol}`);
      await ask(`/v1/earnings-reactions?symbol=${symbol}`);
    }
    const [symbol = ''] = symbols;
    await ask(`/v1/bars?symbol=${symbol}`);
    await ask(`/v1/symbols?search=${symbol}`);
    await ask(`/v1/profile?symbols=${symbol}`);
    await ask('/v1/datasets');
    await ask('/v1/earnings-movers?date=yesterday');
    await ask('/v1/unusual-volume');
    await ask('/v1/calendar/economic?date=today');
    await ask('/v1/calendar/ipo');
    await ask('/v1/calendar/dividends');
    await ask('/v1/market-status');
    await ask('/v1/market-holidays');
    await ask('/v1/market-calendar?from=2026-01-01&to=2026-01-31');
    await ask('/v1/coverage');
    const [change] = (await ask(
      '/v1/changes?since=2020-01-01T00:00:00Z&dataset=earnings&limit=5',
    )) as {
      eventId: string;
    }[];
    await ask(`/v1/earnings/${change?.eventId ?? 'none'}/revisions`);
    const feed = await service.get(`/v1/calendar/earnings.ics?symbols=${symbol}`, demoKey);
    expect([feed.status, feed.headers.get('content-type')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ]);
    expect([...asked].toSorted()).toEqual(await namesOfJson(service));
  });

  test("restricts the data folder's files and the demo key to the current user", () => {
    expect(statSync(join(data, 'sandbox')).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'sandbox', 'demo-key')).mode & 0o777).toBe(0o600);
  });

  test('exits if a second start uses the same folder, and identifies the process that owns it', async () => {
    const second = await runAfterbell(['start', '--port', '0', '--data-dir', data]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`in use by process ${service.child.pid}`);
  });

  test('reports that a port is in use, and states the fix', async () => {
    const { port } = new URL(service.url);
    const second = await runAfterbell(['start', '--port', port, '--data-dir', scratchFolder()]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(new RegExp(`port ${port} .* in use.*--port`));
  });

  test('accepts a new key immediately and rejects it as soon as it is revoked', async () => {
    const made = await runAfterbell(['keys', 'create', '--plan', 'pro', '--data-dir', data]);
    expect(made.stdout, made.stderr).toMatch(/^eds_test_\w+\n$/);
    const key = made.stdout.trim();
    expect(await service.get('/v1/market-status', key)).toMatchObject({ status: 200 });

    const listed = await runAfterbell(['keys', 'list', '--json', '--data-dir', data]);
    const keys = JSON.parse(listed.stdout) as { id: string; last4: string }[];
    const { id = 'not listed' } = keys.find(({ last4 }) => key.endsWith(last4)) ?? {};
    const revoked = await runAfterbell(['keys', 'revoke', id, '--data-dir', data]);
    expect(revoked.code, revoked.stderr).toBe(0);
    expect(await service.get('/v1/market-status', key)).toMatchObject({ status: 401 });
    expect(await service.get('/v1/market-status', demoKey)).toMatchObject({ status: 200 });
    for (const text of [listed.stdout, listed.stderr, revoked.stderr, service.output.stderr]) {
      expect(text).not.toContain(key);
    }
  });

  test('prints the demo key only in the sample requests', async () => {
    await fetch(`${service.url}/v1/market-status?apikey=${demoKey}`);
    await fetch(`${service.url}/v1/nowhere?apikey=${demoKey}`);
    const lines = service.output.stderr.split('\n').filter((line) => line.includes(demoKey));
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^ {2}curl '/);
  });

  test('exits with code 0 when stopped, and starts again with the same key and rows', async () => {
    const path = '/v1/market-holidays';
    const before = await service.get(path, demoKey);
    expect(await service.stop()).toBe(0);
    service = await startAfterbell(['--data-dir', data], SETTINGS);
    expect(service.output.stderr).toContain(demoKey);
    expect((await service.get(path, demoKey)).body).toEqual(before.body);
  });
});

describe('the kind of a store', () => {
  const oneRecording = () => {
    const folder = scratchFolder();
    writeRecording(folder, { path: 'one', url: 'https://unknown.example/', body: '[]' });
    return folder;
  };

  test('rejects a recording for a sandbox store, and a sandbox for a store of recordings', async () => {
    const data = scratchFolder();
    await storeOf(join(data, 'live'), 'sandbox');
    const replay = await runAfterbell(['replay', oneRecording(), '--data-dir', data]);
    expect(replay).toMatchObject({ code: 1, stdout: '' });
    expect(replay.stderr).toContain('holds sandbox data and cannot also hold live data');
    await storeOf(join(data, 'sandbox'), 'live');
    const start = await runAfterbell(['start', '--port', '0', '--data-dir', data]);
    expect(start).toMatchObject({ code: 1, stdout: '' });
    expect(start.stderr).toContain('holds live data and cannot also hold sandbox data');
  });

  test('turns a new store into a sandbox when the first command creates a key', async () => {
    const made = await runAfterbell(['keys', 'create', '--data-dir', scratchFolder()]);
    expect(made.stdout, made.stderr).toMatch(/^eds_test_/);
  });

  test('rejects the real clock for a store that was ever written on a shifted clock', async () => {
    const data = scratchFolder();
    const args = ['replay', oneRecording(), '--data-dir', data];
    const shifted = { NOW: '2026-02-02T14:00:00Z' };
    expect(await runAfterbell(args)).toMatchObject({ code: 0 });
    expect(await runAfterbell(args, shifted)).toMatchObject({ code: 0 });
    const real = await runAfterbell(args);
    expect(real).toMatchObject({ code: 1, stdout: '' });
    expect(real.stderr).toContain('shifted clock');
    const started = await runAfterbell([
      'start',
      '--port',
      '0',
      '--replay',
      oneRecording(),
      '--data-dir',
      data,
    ]);
    expect(started).toMatchObject({ code: 1, stdout: '' });
    expect(started.stderr).toContain('--now');
  });

  test('rejects a shifted clock in production before opening the store', async () => {
    const data = scratchFolder();
    const args = ['start', '--port', '0', '--data-dir', data, '--now', '2026-02-02T14:00:00Z'];
    const run = await runAfterbell(args, { NODE_ENV: 'production' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('NODE_ENV');
    expect(() => statSync(join(data, 'sandbox'))).toThrow('ENOENT');
  });
});

test('reports in one line that a folder cannot be created', async () => {
  const file = join(scratchFolder(), 'file');
  writeFileSync(file, '');
  const run = await runAfterbell(['start', '--port', '0', '--data-dir', join(file, 'data')]);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^The store's folder cannot be created: .*: set DATA_DIR to .*\n$/);
});

describe('starting with a replay', () => {
  test('listens immediately during a replay, is ready once all data is ingested, and serves the recorded data', async () => {
    const port = await freePort();
    const service = spawnAfterbell(replayArgs(port));
    const statuses = await readyzUntil(port, 200);
    expect(statuses[0]).toBe(503);
    expect(statuses.at(-1)).toBe(200);
    expect(await service.line(/^ready /)).toBe(`ready http://127.0.0.1:${port}`);
    expect(service.output.stdout).toBe(`ready http://127.0.0.1:${port}\n`);
    expect(service.output.stderr).toMatch(/nasdaq profiles +2 /);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  test('exits with code 0 when stopped during a replay', async () => {
    const port = await freePort();
    const service = spawnAfterbell(replayArgs(port));
    await readyzUntil(port, 503);
    service.child.kill('SIGTERM');
    expect(await service.ended, service.output.stderr).toBe(0);
    expect(service.output.stdout).toBe('');
  });

  /** Returns the arguments for a replay large enough that the time before readiness is visible. */
  function replayArgs(port: number): string[] {
    const folder = scratchFolder();
    for (const night of [1, 2]) {
      const rows = Array.from({ length: 1000 }, (_, at) =>
        screenerRow(
          `C${String(at).replaceAll(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '')}`,
          {
            name: `Company ${at} as of night ${night}`,
          },
        ),
      );
      writeRecording(folder, {
        path: `night-${night}`,
        url: screenerUrl('nyse'),
        body: envelope(rows),
        recordedAt: `2026-02-1${night}T12:00:00Z`,
      });
    }
    return ['start', '--port', String(port), '--replay', folder, '--data-dir', scratchFolder()];
  }
});

/** Creates a store and marks it with a kind of data. */
async function storeOf(folder: string, kind: string): Promise<void> {
  const db = await openStore({ folder });
  await claimMarker(db, 'kind', kind);
  await db.close();
}

/** Polls until the service responds with the given status. Returns every status in order. */
async function readyzUntil(port: number, wanted: number): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.at(-1) !== wanted) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.text();
    if (answer !== null) statuses.push(answer.status);
  }
  return statuses;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Returns some days around today, according to the service's own clock. */
async function nearbyDays(ask: (path: string) => Promise<unknown>): Promise<string[]> {
  const { today } = (await ask('/v1/market-status')) as { today: { date: string } };
  const noon = Date.parse(`${today.date}T12:00:00Z`);
  return [-7, -3, 2, 3, 4, 5].map((days) =>
    new Date(noon + days * 86_400_000).toISOString().slice(0, 10),
  );
}

/** Returns the sorted names of the documented operations that respond with JSON. */
async function namesOfJson(service: StartedAfterbell): Promise<string[]> {
  const { body } = await service.get('/openapi.json');
  const { paths } = body as { paths: Record<string, { get: Operation }> };
  return Object.entries(paths)
    .filter(([path, { get }]) => {
      // A range is an operation of its own, but an endpoint like that of a single day.
      return 'application/json' in get.responses['200'].content && !path.endsWith('/range');
    })
    .map(([, { get }]) => get.operationId)
    .toSorted();
}

interface Operation {
  operationId: string;
  responses: { 200: { content: Record<string, unknown> } };
}

function rowsOf(day: unknown): { symbol: string }[] {
  const { pre, after, notSupplied } = day as Record<string, { symbol: string }[]>;
  return [...(pre ?? []), ...(after ?? []), ...(notSupplied ?? [])];
}
