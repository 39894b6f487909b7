import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ResponseCache } from '../../service/src/http/response-cache.ts';
import { createReadiness } from '../../service/src/http/readiness.ts';
import { fakeClock } from '../../service/test/support/fake-clock.ts';
import { silentLog } from '../../service/test/support/logs.ts';
import { LoopHealth } from '../../service/src/platform/loop-health.ts';
import { createMetrics } from '../../service/src/platform/metrics.ts';
import { createAppMetrics } from '../../service/src/app/metrics.ts';
import type { Db } from '../../service/src/storage/db.ts';
import { newMetrics } from '../../service/src/delivery/worker/metrics.ts';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}

interface Dashboard {
  panels: { id: number; title: string; targets?: { expr: string }[] }[];
  templating: { list: { name: string; query: string | { query: string } }[] };
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const rules = (parse(read('afterbell.rules.yaml')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('../grafana/afterbell.json')) as Dashboard;
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr]),
);
const expressions: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels,
  ...dashboard.templating.list.map(({ name, query }): [string, string] => [
    name,
    typeof query === 'string' ? '' : query.query,
  ]),
];
const served = servedMetrics();

test.each(expressions)('uses only existing metrics and labels in %s', (_, expr) => {
  expect(unknownParts(expr, served)).toEqual([]);
});

test('detects a metric or a label that does not exist', () => {
  const wrong = 'sum by (part) (rate(afterbell_nothing_total{part="read"}[5m]))';
  expect(unknownParts(wrong, served)).toEqual(['afterbell_nothing_total']);
  expect(unknownParts('afterbell_ready{endpoint="x"} == 0', served)).toEqual([
    'afterbell_ready{endpoint}',
  ]);
  expect(unknownParts('afterbell_requests_total_bucket', served)).toHaveLength(1);
});

test('shows every metric on the Grafana dashboard', () => {
  const dashboardText = panels.map(([, expr]) => expr).join('\n');
  const missing = [...served.keys()].filter(
    (name) => !dashboardText.includes(name.replace(/_(sum|count)$/, '')),
  );
  expect(missing).toEqual([]);
});

test('alerts on failed deliveries even if no delivery has ever succeeded', () => {
  const { expr = '' } = rules.find(({ alert }) => alert === 'AfterbellWebhooksMostlyFail') ?? {};
  expect(expr).toContain('{outcome="delivered"}[15m])) or vector(0))');
});

test('describes the problem and the fix in each alert', () => {
  expect(rules.length).toBeGreaterThan(10);
  for (const { annotations } of rules) {
    expect(annotations).toEqual({ summary: expect.any(String), do: expect.any(String) });
  }
});

test('gives each dashboard panel a unique id', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Returns the metric names as exposed, with their labels. */
function servedMetrics(): Map<string, readonly string[]> {
  const metrics = createMetrics();
  const clock = fakeClock(0);
  const closers: (() => void | Promise<void>)[] = [];
  const measured = createAppMetrics({
    metrics,
    clock,
    log: silentLog,
    settings: {
      metricsPort: 0,
      metricsHost: '127.0.0.1',
      dataDir: '/',
    },
    shutdown: { register: (_name, close) => void closers.push(close) },
    readiness: createReadiness(new AbortController().signal),
    loops: new LoopHealth(clock),
  });
  // Only a scrape queries the store, so an empty object is sufficient here.
  const db = measured.store({} as Db);
  measured.webhooks({ worker: newMetrics(), db, clock });
  measured.freshness(async () => []);
  measured.cell(() => null);
  measured.cache(new ResponseCache({ sizeMaxBytes: 1_000 }));
  measured.hashing();
  measured.securityEvents();
  const queue = { running: 0, waiting: 0 };
  measured.computations({ queue, usedMs: () => 0, refused: () => 0 });
  for (const close of closers) void close();
  const entries = metrics.list().flatMap(({ name, type, labels = [] }) => {
    if (type !== 'histogram') return [[name, labels] as const];
    const parts = [`${name}_sum`, `${name}_count`].map((part) => [part, labels] as const);
    return [[`${name}_bucket`, [...labels, 'le']] as const, ...parts];
  });
  // Prometheus adds this metric itself.
  return new Map<string, readonly string[]>([...entries, ['up', []]]);
}

/** Labels that Prometheus adds to every series. */
const ADDED_LABELS = ['job', 'instance'];

function unknownParts(expr: string, known: ReadonlyMap<string, readonly string[]>): string[] {
  const plain = expr.replace(/^label_values\((\w+), \w+\)$/, '$1');
  const metrics = [...plain.matchAll(/\b(up|(?:afterbell|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  if (plain !== '' && metrics.length === 0) return [`no metric in ${expr}`];
  return metrics.flatMap(([, name = '', matchers = '']) => {
    const labels = known.get(name);
    if (labels === undefined) return [name];
    return [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
      .map(([, label = '']) => label)
      .filter((label) => ![...labels, ...ADDED_LABELS].includes(label))
      .map((label) => `${name}{${label}}`);
  });
}
