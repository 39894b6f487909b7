import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import { ResponseCache } from '../http/response-cache.ts';
import type { CompletedRequest } from '../http/request-context.ts';
import type { ReadApi } from '../http/read-api.ts';
import { createReadiness } from '../http/readiness.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../../test/support/logs.ts';
import { LoopHealth } from '../platform/loop-health.ts';
import { createMetrics } from '../platform/metrics.ts';
import { loadFilingDelays } from '../datasets/filings/delays.ts';
import { createAppMetrics } from './metrics.ts';
import { SettingsError } from '../config/settings.ts';
import { StoreUnavailableError } from '../storage/errors.ts';
import { newMetrics, observe } from '../delivery/worker/metrics.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

test('docs/metrics.md lists exactly the registered metrics', async () => {
  const { metrics, text } = await world();
  const listed = metrics.list().map(({ name, type, labels = [], help }) => {
    return `| \`${name}\` | ${type} | ${labels.join(', ')} | ${help} |`;
  });
  const file = new URL('../../../docs/metrics.md', import.meta.url);
  const documented = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replaceAll(/ +/g, ' '));
  expect(documented).toEqual(listed.map((line) => line.replaceAll(/ +/g, ' ')));
  const types = [...(await text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map((found) => found[0]);
  expect(types).toEqual(metrics.list().map(({ name, type }) => `# TYPE ${name} ${type}`));
});

test('reports metrics for the queue, worker, requests, cache, store and process in one scrape', async () => {
  const { measured, db, worker, text, cache } = await world();
  worker.attempts['delivered'] = 3;
  worker.blockedAddresses['metadata'] = 1;
  worker.clockOffsetMs = -250;
  observe(worker.changeToPost, 40);
  observe(worker.changeToPost, 400_000);
  expect(cache.get('nothing', NOW)).toBeNull();
  const seen: CompletedRequest[] = [];
  const told = measured.requests.counting((one) => seen.push(one));
  told({ endpoint: 'market-status', status: 404, durationMs: 3 } as CompletedRequest);
  expect(seen).toHaveLength(1);
  const answer = { status: 200, headers: [], body: null };
  const api = measured.requests.readApi({ handle: () => answer } as unknown as ReadApi);
  await api.handle({ method: 'GET', url: '/v1/x', headers: {}, remoteAddress: '' });
  await db.query('select 1');
  const shown = await text();
  for (const line of [
    'afterbell_webhook_due 0',
    'afterbell_webhook_attempts_total{outcome="delivered"} 3',
    'afterbell_webhook_blocked_total{class="metadata"} 1',
    'afterbell_webhook_clock_offset_seconds -0.25',
    'afterbell_webhook_change_to_post_seconds_bucket{le="0.025"} 0',
    'afterbell_webhook_change_to_post_seconds_bucket{le="0.05"} 1',
    'afterbell_webhook_change_to_post_seconds_bucket{le="+Inf"} 2',
    'afterbell_webhook_change_to_post_seconds_sum 400.04',
    'afterbell_webhook_change_to_post_seconds_count 2',
    'afterbell_requests_total{endpoint="market-status",status="4xx"} 1',
    'afterbell_request_seconds_count 1',
    'afterbell_http_answers_total{part="read",status="2xx"} 1',
    'afterbell_answer_cache_lookups_total{result="miss"} 1',
    'afterbell_answer_cache_lookups_total{result="hit"} 0',
    'afterbell_store_outages_total 0',
  ]) {
    expect(shown.split('\n')).toContain(line);
  }
  expect(shown).toMatch(/^afterbell_store_seconds_count\{kind="query"\} [1-9]/m);
  expect(shown).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
  expect(shown).toMatch(/^afterbell_store_bytes [1-9]\d{6,}$/m);
  expect(shown).toMatch(/^afterbell_store_transaction_age [1-9]\d*$/m);
  // The number would be higher if an attempt were counted twice.
  expect(await text()).toContain('afterbell_webhook_attempts_total{outcome="delivered"} 3\n');
});

test('reports that the store is unavailable while still reporting all other metrics', async () => {
  const { db, text } = await world();
  await db.close();
  await expect(db.query('select 1')).rejects.toBeInstanceOf(StoreUnavailableError);
  const shown = await text();
  expect(shown).not.toMatch(/^afterbell_webhook_due /m);
  expect(shown).toMatch(/^afterbell_webhook_in_flight 0$/m);
  expect(shown).toMatch(/^afterbell_store_outages_total [1-9]/m);
  expect(shown).not.toMatch(/^afterbell_store_(bytes|transaction_age) /m);
  expect(shown).not.toMatch(/^afterbell_dataset_/m);
});

test('serves only GET /metrics, and fails to start with a fix if METRICS_PORT is taken', async () => {
  const { url, settings, deps } = await world();
  expect((await ask(url.replace('/metrics', '/'))).status).toBe(404);
  expect((await ask(url, 'POST')).status).toBe(405);
  expect(await ask(url)).toMatchObject({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
  });
  const taken = { ...settings, metricsPort: Number(new URL(url).port) };
  const second = createAppMetrics({ ...deps, metrics: createMetrics(), settings: taken });
  const problem = await second.serve().catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(SettingsError);
  expect(String(problem)).toContain('choose another port with METRICS_PORT');
});

test('reports liveness and readiness on METRICS_PORT for a process without pages', async () => {
  const { url, readiness, closing } = await world();
  const at = (path: string) => ask(url.replace('/metrics', path));
  let isStoreWell = true;
  readiness.addCheck(() => isStoreWell);
  expect(await at('/healthz')).toMatchObject({ status: 200, type: 'application/json' });
  expect((await at('/readyz')).status).toBe(503);
  readiness.markReady();
  expect((await at('/readyz')).status).toBe(200);
  isStoreWell = false;
  expect((await at('/readyz')).status).toBe(503);
  isStoreWell = true;
  closing.abort();
  expect((await at('/readyz')).status).toBe(503);
  expect((await at('/healthz')).status).toBe(200);
});

test('reports metrics for late data sets, readiness and free disk space', async () => {
  const { readiness, text } = await world();
  const before = (await text()).split('\n');
  expect(before).toContain('afterbell_ready 0');
  expect(before).toContain('afterbell_dataset_late{dataset="bars"} 0');
  expect(before).toContain('afterbell_dataset_late{dataset="earnings"} 1');
  expect(before).toContain('afterbell_dataset_age_seconds{dataset="earnings"} 7200');
  expect(before.join('\n')).not.toContain('profiles');
  expect(before.join('\n')).toMatch(/^afterbell_disk_free_bytes [1-9]\d*$/m);
  readiness.markReady();
  expect((await text()).split('\n')).toContain('afterbell_ready 1');
});

test('reports when each background loop last succeeded, and whether it is failing', async () => {
  const { clock, loops, text } = await world();
  const send = loops.add('send', 'periodic');
  loops.add('fan-out', 'periodic');
  expect(await text()).not.toContain('afterbell_loop_last_success_timestamp_seconds{');
  await clock.advance(29_000);
  send.succeeded();
  await clock.advance(1_000);
  const lines = (await text()).split('\n');
  expect(lines).toContain(
    `afterbell_loop_last_success_timestamp_seconds{loop="send"} ${NOW / 1_000 + 29}`,
  );
  expect(lines).toContain('afterbell_loop_failing{loop="send"} 0');
  expect(lines).toContain('afterbell_loop_failing{loop="fan-out"} 1');
});

test('records no metrics and does not listen without METRICS_PORT', async () => {
  const settings = { metricsPort: null, metricsHost: '127.0.0.1', dataDir: tmpdir() };
  const metrics = createMetrics();
  const shutdown = { register: () => undefined };
  const log = silentLog;
  const readiness = createReadiness(new AbortController().signal);
  const clock = fakeClock(NOW);
  const loops = new LoopHealth(clock);
  const measured = createAppMetrics({ metrics, settings, log, shutdown, readiness, loops, clock });
  const cache = new ResponseCache({ sizeMaxBytes: 1_000 });
  expect(measured.cache(cache)).toBe(cache);
  expect(await measured.serve()).toBeNull();
  expect(metrics.list()).toEqual([]);
});

async function world() {
  const clock = fakeClock(NOW);
  const metrics = createMetrics();
  const settings = { metricsPort: 0, metricsHost: '127.0.0.1', dataDir: tmpdir() };
  const closers: (() => Promise<void> | void)[] = [];
  const shutdown = {
    register: (_name: string, close: () => Promise<void> | void) => void closers.push(close),
  };
  const closing = new AbortController();
  const readiness = createReadiness(closing.signal);
  const loops = new LoopHealth(clock);
  const deps = { metrics, settings, clock, log: silentLog, shutdown, readiness, loops };
  const measured = createAppMetrics(deps);
  const db = measured.store(await memoryStore());
  measured.cell(() => null);
  const worker = newMetrics();
  measured.webhooks({ worker, db, clock });
  const cache = measured.cache(new ResponseCache({ sizeMaxBytes: 1_000 }));
  measured.computations({ queue: { running: 1, waiting: 2 }, usedMs: () => 3, refused: () => 4 });
  measured.hashing();
  measured.securityEvents();
  measured.streams({ counts: () => ({ open: 2, sentEvents: 7 }) });
  const fresh = { lastChangeAt: null, targetSeconds: 3_600, feeds: [] };
  measured.freshness(async () => {
    await db.query('select 1');
    return [
      { ...fresh, dataset: 'bars', lastSuccessAt: NOW - 90_000, state: 'fresh' },
      { ...fresh, dataset: 'earnings', lastSuccessAt: NOW - 7_200_000, state: 'late' },
      { ...fresh, dataset: 'profiles', lastSuccessAt: null, state: 'empty' },
    ];
  });
  measured.filings(() => loadFilingDelays(db, clock.now()));
  const url = await measured.serve();
  if (url === null) throw new Error('it does not listen');
  onTestFinished(async () => {
    for (const close of closers.toReversed()) await close();
    await db.close();
  });
  return {
    metrics,
    measured,
    settings,
    deps,
    db,
    worker,
    cache,
    url,
    readiness,
    closing,
    text,
    clock,
    loops,
  };

  async function text(): Promise<string> {
    return (await ask(url ?? '')).text;
  }
}

function ask(url: string, method = 'GET'): Promise<{ status: number; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, type, text });
      });
    });
    asked.once('error', reject).end();
  });
}
