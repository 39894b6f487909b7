import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ingestDividends, ingestFile } from '../../../test/support/operator-files.ts';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { finishRequest, nextRequest } from '../../datasets/jobs/request-store.ts';
import { addRun, type IngestRun } from '../../datasets/runs/store.ts';
import { saveSources } from '../../ingest/save-sources.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Db } from '../../storage/db.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 30);
const MINUTE_MS = 60_000;

let db: Db;
let management: Management;
let headers: Record<string, string>;

beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  management = await startManagement(db);
  ({ headers } = await management.person('operator', null));
  const inUse = providers.filter(({ name }) => ['nasdaq', 'us-agencies'].includes(name));
  await saveSources(db, providers, inUse);
});
afterAll(() => db.close());

function ask(path: string): Promise<Reply> {
  return management.call('GET', `/operator/v1/${path}`, { headers });
}

function post(path: string, body: object): Promise<Reply> {
  return management.call('POST', `/operator/v1/${path}`, { headers, body });
}

function failed(over: Partial<IngestRun>): Promise<void> {
  const none = { rowsSeen: 0, rowsNew: 0, rowsChanged: 0, rowsSame: 0, rowsQuarantined: 0 };
  return addRun(db, {
    provider: 'nasdaq',
    feed: null,
    datasets: [],
    url: 'https://example.com/a',
    startedAt: NOW,
    durationMs: 12,
    outcome: 'unavailable',
    reason: 'timeout',
    ...none,
    ...over,
  });
}

test('records an ingestion run for every response with the results for its rows, newest first', async () => {
  const line = 'QPR,2026-12-01,2026-12-01,2026-12-10,,0.25,USD,cash';
  await ingestDividends(db, [line, 'REED,2026-12-02,,,,-1,,'], NOW);
  await ingestDividends(db, [line], NOW + MINUTE_MS);
  await ingestFile(db, { name: 'dividends.csv', lines: ['[{"symbol":'], at: NOW + 2 * MINUTE_MS });
  const { json } = await ask('runs');
  expect(json['runs']).toMatchObject([
    { outcome: 'rejected', rowsSeen: 0, reason: expect.any(String) as string },
    { outcome: 'ingested', rowsSeen: 1, rowsNew: 0, rowsSame: 1, reason: null },
    {
      provider: 'files',
      feed: 'dividends',
      datasets: ['dividends'],
      outcome: 'ingested',
      rowsSeen: 2,
      rowsNew: 1,
      rowsQuarantined: 1,
      startedAt: '2026-11-20T15:30:00Z',
    },
  ]);
  const rejected = await ask('runs?outcome=rejected&provider=files');
  expect(rejected.json['runs']).toHaveLength(1);
  const page = await ask('runs?limit=2');
  const rest = await ask(`runs?limit=2&before=${String(page.json['next'])}`);
  expect(rest.json).toMatchObject({ runs: [{ rowsSeen: 2 }], next: null });
});

test('deletes ingestion runs after thirty days', async () => {
  await failed({ startedAt: NOW - 31 * 86_400_000 });
  await failed({ startedAt: NOW - 29 * 86_400_000 });
  await ingestDividends(db, [], NOW);
  expect((await ask('runs?outcome=unavailable')).json['runs']).toHaveLength(1);
});

test("shows a source's last success, last failure, next run and cooldown", async () => {
  await failed({ startedAt: NOW - 2 * MINUTE_MS, outcome: 'rejected', reason: 'not-json' });
  await failed({ startedAt: NOW - MINUTE_MS });
  await ingestDividends(db, ['QPR,2026-12-01,,,,0.25,USD,cash'], NOW);
  const { json } = await ask('sources');
  const sources = json['sources'] as Record<string, unknown>[];
  const of = (name: string) => sources.find((each) => each['name'] === name);
  expect(sources.slice(0, 2).map(({ name }) => name)).toEqual(['nasdaq', 'us-agencies']);
  expect(of('nasdaq')).toMatchObject({
    inUse: true,
    lastSuccessAt: null,
    resting: null,
    lastFailure: { at: '2026-11-20T15:29:00Z', outcome: 'unavailable', reason: 'timeout' },
    nextRunAt: expect.stringMatching(/^2026-11-20T1[56]/) as string,
  });
  expect(of('us-agencies')).toMatchObject({
    resting: { reason: 'blocked', until: '2026-11-20T15:31:00Z' },
  });
  expect(of('nasdaq')).toMatchObject({ whyNotInUse: null, lacks: [] });
  expect(of('fmp')).toMatchObject({ whyNotInUse: 'simulated-market', lacks: ['FMP_API_KEY'] });
  expect(of('sandbox')).toMatchObject({ whyNotInUse: 'real-data' });
  expect(of('files')).toMatchObject({ inUse: false, lastSuccessAt: '2026-11-20T15:30:00Z' });
  expect(json['datasets']).toContainEqual(
    expect.objectContaining({ dataset: 'dividends', lastSuccessAt: '2026-11-20T15:30:00Z' }),
  );
});

test('runs only one backfill at a time, and reports its progress', async () => {
  const wanted = { provider: 'nasdaq', feed: 'calendar-earnings', from: '2026-11-18' };
  const begun = await post('backfills', wanted);
  expect(begun.json).toMatchObject({ requests: 2 });
  const second = await post('backfills', { ...wanted, from: '2026-11-10' });
  expect([second.status, second.json.code]).toEqual([409, 'conflict']);
  const exceptHosts = ['api.nasdaq.com'];
  expect(await nextRequest(db, 'nasdaq', { isUrgentOnly: false, exceptHosts })).toBeNull();
  const request = await nextRequest(db, 'nasdaq', { isUrgentOnly: false, exceptHosts: [] });
  if (request === null) throw new Error('nothing is asked');
  await finishRequest(db, request, { outcome: 'ingested', rows: 12, now: NOW + MINUTE_MS });
  const half = await ask('backfills');
  expect(half.json['batches']).toMatchObject([
    {
      id: begun.json.id,
      kind: 'backfill',
      provider: 'nasdaq',
      state: 'running',
      total: 2,
      done: 1,
      rows: 12,
      from: '2026-11-18',
      to: '2026-11-19',
      finishedAt: null,
    },
  ]);
  const last = await nextRequest(db, 'nasdaq', { isUrgentOnly: false, exceptHosts: [] });
  if (last === null) throw new Error('nothing is asked');
  await finishRequest(db, last, { outcome: 'ingested', rows: 1, now: NOW + 2 * MINUTE_MS });
  const whole = await ask('backfills?kind=backfill');
  expect(whole.json['batches']).toMatchObject([
    { state: 'finished', done: 2, rows: 13, finishedAt: '2026-11-20T15:32:00Z' },
  ]);
  const audit = await ask('audit');
  expect((audit.json['events'] as object[])[0]).toMatchObject({
    act: 'ingest.backfill',
    subject: 'nasdaq',
    details: { feed: 'calendar-earnings', from: '2026-11-18', to: '2026-11-19' },
  });
});

test('performs a manual run before scheduled requests, and rejects invalid manual runs', async () => {
  expect((await post('sources/nasdaq/run', { feed: 'screener' })).status).toBe(201);
  expect(await nextRequest(db, 'nasdaq', { isUrgentOnly: true, exceptHosts: [] })).toMatchObject({
    feed: 'screener',
  });
  expect((await ask('backfills?kind=run')).json['batches']).toHaveLength(1);
  expect((await post('sources/fmp/run', {})).status).toBe(404);
  expect((await post('sources/nowhere/run', {})).status).toBe(404);
  const feed = await post('backfills', { provider: 'nasdaq', feed: 'none', from: '2026-11-18' });
  expect(feed.json).toMatchObject({ code: 'invalid-parameter', parameter: 'feed' });
  const turned = await post('backfills', { provider: 'nasdaq', from: '2026-11-20' });
  expect(turned.json).toMatchObject({ code: 'invalid-parameter', parameter: 'from' });
});
