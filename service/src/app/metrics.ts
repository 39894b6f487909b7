import { registerHashingMetrics } from '../accounts/passwords/hashing-metrics.ts';
import type { Settings } from '../config/settings.ts';
import type { FilingDelayReport } from '../datasets/filings/delays.ts';
import type { DatasetFreshness } from '../datasets/freshness/freshness.ts';
import { registerWebhookMetrics } from '../delivery/worker/prometheus-metrics.ts';
import { startMetricsServer } from '../http/metrics-server.ts';
import { registerComputeMetrics } from '../http/compute-metrics.ts';
import type { Readiness } from '../http/readiness.ts';
import { instrumentRequests, type RequestMetrics } from '../http/request-metrics.ts';
import { SECURITY_EVENTS, type SecurityEventKind } from '../http/security-events.ts';
import { instrumentCache, type ResponseCache } from '../http/response-cache.ts';
import type { ChangeStreams } from '../http/stream/change-streams.ts';
import { registerStreamMetrics } from '../http/stream/stream-metrics.ts';
import { cacheFor } from '../platform/cache-for.ts';
import type { Clock } from '../platform/clock.ts';
import { readDiskSpace } from '../platform/disk-space.ts';
import type { Log } from '../platform/log.ts';
import type { LoopHealth } from '../platform/loop-health.ts';
import { createMetrics, type Metrics, type MetricsSnapshot } from '../platform/metrics.ts';
import { registerProcessMetrics } from '../platform/process-metrics.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import type { Db } from '../storage/db.ts';
import type { JournalKind } from '../storage/commit-journal.ts';
import type { LostCounts } from '../storage/health/failover-reports.ts';
import { registerCellMetrics } from '../storage/cells/cell-metrics.ts';
import type { CellState } from '../storage/cells/cell-state.ts';
import { instrumentDb } from '../storage/health/instrumented-db.ts';
import { registerStoreMetrics } from '../storage/health/store-metrics.ts';
import { explainListenError } from './listen-error.ts';
import { METRICS_SETTINGS } from './used-ports.ts';

/**
 * Adds metrics to the parts of the service. Without METRICS_PORT, every part is returned unchanged.
 */
export interface AppMetrics {
  store(db: Db): Db;
  cache(cache: ResponseCache): ResponseCache;
  computations(parts: Parameters<typeof registerComputeMetrics>[1]): void;
  /** Registers the queue in which this process hashes passwords. */
  hashing(): void;
  /** Returns a function that counts refused requests. */
  securityEvents(): (kind: SecurityEventKind) => void;
  streams(streams: Pick<ChangeStreams, 'counts'>): void;
  requests: RequestMetrics;
  webhooks(parts: Parameters<typeof registerWebhookMetrics>[1]): void;
  freshness(load: LoadFreshness): void;
  /** Counts commits that a failover lost. */
  commitsLost(lost: LostCounts): void;
  filings(load: () => Promise<FilingDelayReport>): void;
  cell(state: () => CellState | null): void;
  /** Returns all values, or null without METRICS_PORT. */
  snapshot(): Promise<MetricsSnapshot | null>;
  /** Starts the metrics server and returns its URL, or null without METRICS_PORT. */
  serve(): Promise<string | null>;
}

type LoadFreshness = () => Promise<readonly DatasetFreshness[]>;
type MetricsSettings = Pick<Settings, 'metricsPort' | 'metricsHost' | 'dataDir'>;

const NO_METRICS: AppMetrics = {
  store: (db) => db,
  cache: (cache) => cache,
  computations: () => undefined,
  hashing: () => undefined,
  securityEvents: () => () => undefined,
  streams: () => undefined,
  requests: {
    counting: (next) => next,
    readApi: (api) => api,
    pages: (listener) => listener,
  },
  webhooks: () => undefined,
  freshness: () => undefined,
  commitsLost: () => undefined,
  filings: () => undefined,
  cell: () => undefined,
  snapshot: () => Promise.resolve(null),
  serve: () => Promise.resolve(null),
};

export function createAppMetrics(deps: {
  settings: MetricsSettings;
  clock: Clock;
  log: Log;
  shutdown: Pick<Shutdown, 'register'>;
  readiness: Pick<Readiness, 'state' | 'cell'>;
  loops: Pick<LoopHealth, 'states'>;
  metrics?: Metrics;
}): AppMetrics {
  const { settings, clock, log, shutdown, readiness, loops, metrics = createMetrics() } = deps;
  if (settings.metricsPort === null) return NO_METRICS;
  const processMetrics = registerProcessMetrics(metrics, clock);
  shutdown.register('process metrics', processMetrics.stop);
  registerHealth(metrics, readiness, settings.dataDir);
  registerLoops(metrics, loops);
  const commitsLost = registerLostCommits(metrics);
  return {
    store(db) {
      registerStoreMetrics(metrics, db);
      return instrumentDb(db, metrics, clock);
    },
    cache: (cache) => instrumentCache(cache, metrics),
    computations: (parts) => registerComputeMetrics(metrics, parts),
    hashing: () => registerHashingMetrics(metrics),
    securityEvents: () => registerSecurityEvents(metrics),
    streams: (streams) => registerStreamMetrics(metrics, streams),
    requests: instrumentRequests(metrics),
    webhooks: (parts) => registerWebhookMetrics(metrics, parts),
    freshness: (load) => registerFreshness(metrics, { load, clock }),
    commitsLost,
    filings: (load) =>
      registerFilings(
        metrics,
        cacheFor(FRESHNESS_INTERVAL_MS, () => load().catch(() => null), clock),
      ),
    cell: (state) => registerCellMetrics(metrics, state),
    snapshot: () => metrics.snapshot(),
    serve: () => serveMetrics({ settings, log, shutdown, metrics, readiness }),
  };
}

/** Serves metrics on METRICS_PORT. Returns the URL, or null without METRICS_PORT. */
export async function serveMetrics(
  deps: Pick<Parameters<typeof startMetricsServer>[0], 'metrics' | 'readiness' | 'log'> & {
    settings: Pick<Settings, 'metricsPort' | 'metricsHost'>;
    shutdown: Pick<Shutdown, 'register'>;
  },
): Promise<string | null> {
  const { settings, log, shutdown, metrics, readiness } = deps;
  const { metricsPort: port, metricsHost: host } = settings;
  if (port === null) return null;
  const server = await startMetricsServer({ metrics, readiness, host, port, log }).catch(
    (error: unknown) => {
      throw explainListenError(error, { host, port, settings: METRICS_SETTINGS });
    },
  );
  shutdown.register('metrics', () => server.close());
  log.info({ event: 'metrics.listening', url: server.url }, 'serving Prometheus metrics');
  return server.url;
}

function registerHealth(
  metrics: Metrics,
  readiness: Pick<Readiness, 'state'>,
  dataDir: string,
): void {
  metrics.gauge(
    {
      name: 'afterbell_ready',
      help: 'Whether /readyz reports ready: 1 or 0.',
      combine: 'min',
    },
    () => [{ value: readiness.state() === 'ready' ? 1 : 0 }],
  );
  metrics.gauge(
    { name: 'afterbell_disk_free_bytes', help: 'Free space on the disk that holds DATA_DIR.' },
    async () => {
      const space = await readDiskSpace(dataDir);
      return space === null ? [] : [{ value: space.freeBytes }];
    },
  );
}

function registerSecurityEvents(metrics: Metrics): (kind: SecurityEventKind) => void {
  const totals = new Map(Object.keys(SECURITY_EVENTS).map((kind) => [kind, 0]));
  metrics.counterOf(
    {
      name: 'afterbell_security_events_total',
      help: `Refused requests that may be part of an attack; kind is ${[...totals.keys()].join(', ')}.`,
      labels: ['kind'],
    },
    () => Array.from(totals, ([kind, value]) => ({ value, labels: { kind } })),
  );
  return (kind) => totals.set(kind, (totals.get(kind) ?? 0) + 1);
}

const JOURNAL_KINDS: readonly JournalKind[] = ['response', 'change', 'attempt', 'action', 'count'];

function registerLostCommits(metrics: Metrics): AppMetrics['commitsLost'] {
  const totals = new Map(JOURNAL_KINDS.map((kind) => [kind, 0]));
  metrics.counterOf(
    {
      name: 'afterbell_lost_commits_total',
      help: 'Commits acknowledged to this process that a failover lost; kind is response, change, attempt, action or count.',
      labels: ['kind'],
    },
    () => Array.from(totals, ([kind, value]) => ({ value, labels: { kind } })),
  );
  return (lost) => {
    for (const kind of JOURNAL_KINDS) totals.set(kind, (totals.get(kind) ?? 0) + (lost[kind] ?? 0));
  };
}

function registerLoops(metrics: Metrics, loops: Pick<LoopHealth, 'states'>): void {
  metrics.gauge(
    {
      name: 'afterbell_loop_last_success_timestamp_seconds',
      help: 'Unix time of the last success of a background loop. Absent before the first one.',
      combine: 'min',
      labels: ['loop'],
    },
    () =>
      loops
        .states()
        .flatMap(({ name, lastSuccessAt }) =>
          lastSuccessAt === null ? [] : [{ value: lastSuccessAt / 1_000, labels: { loop: name } }],
        ),
  );
  metrics.gauge(
    {
      name: 'afterbell_loop_failing',
      help: 'Whether a background loop has not succeeded for 30 s: 1 or 0. Idle ones succeed.',
      labels: ['loop'],
    },
    () =>
      loops
        .states()
        .map(({ name, isFailing }) => ({ value: isFailing ? 1 : 0, labels: { loop: name } })),
  );
}

/**
 * Protects the store from frequent scrapes. A few seconds make no difference to whether a data set
 * is late.
 */
const FRESHNESS_INTERVAL_MS = 30_000;

/**
 * Registers metrics for the freshness of data sets that were filled at least once. Reports nothing
 * while the store is unavailable.
 */
function registerFreshness(
  metrics: Metrics,
  { load, clock }: { load: LoadFreshness; clock: Clock },
): void {
  const freshness = cacheFor(FRESHNESS_INTERVAL_MS, () => load().catch(() => []), clock);
  metrics.gauge(
    {
      name: 'afterbell_dataset_late',
      help: 'Whether the last successful fetch is older than the newest run that was due: 1 or 0.',
      labels: ['dataset'],
    },
    async () =>
      (await freshness())
        .filter(({ state }) => state === 'late' || state === 'fresh')
        .map(({ dataset, state }) => ({ value: state === 'late' ? 1 : 0, labels: { dataset } })),
  );
  metrics.gauge(
    {
      name: 'afterbell_dataset_age_seconds',
      help: 'Time since the last successful fetch for the data set.',
      labels: ['dataset'],
    },
    async () =>
      (await freshness()).flatMap(({ dataset, lastSuccessAt }) =>
        lastSuccessAt === null
          ? []
          : [{ value: (clock.now() - lastSuccessAt) / 1_000, labels: { dataset } }],
      ),
  );
}

/** Registers the delays of the last filings with results. Reports nothing while there are none. */
function registerFilings(metrics: Metrics, load: () => Promise<FilingDelayReport | null>): void {
  metrics.gauge(
    {
      name: 'afterbell_filing_delay_seconds',
      help: 'Time from acceptance of the last 200 filings with results until they were seen, served and posted.',
      labels: ['step', 'quantile'],
    },
    async () => {
      const last = (await load())?.last200;
      if (last === undefined) return [];
      return (['seen', 'served', 'posted'] as const).flatMap((step) =>
        (['p50', 'p95'] as const).flatMap((quantile) => {
          const value = last[step][quantile];
          return value === null ? [] : [{ value, labels: { step, quantile } }];
        }),
      );
    },
  );
}
