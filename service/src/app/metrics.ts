import { showFreshness, showHealth } from './health-metrics.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { instrumentCache } from '../http/cache-metrics.ts';
import { startMetricsServer } from '../http/metrics-server.ts';
import type { Readiness } from '../http/readiness.ts';
import { instrumentRequests, type RequestMetrics } from '../http/request-metrics.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { measureProcess } from '../platform/process-metrics.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import { type Settings, SettingsError } from '../config/settings.ts';
import type { Db } from '../storage/db.ts';
import { measuredDb } from '../storage/health/measured-db.ts';
import { showStore } from '../storage/health/store-metrics.ts';
import { registerWebhookMetrics } from '../delivery/worker/prometheus-metrics.ts';

/** The parts of the service, measured, or as they are where nobody asked for figures. */
export interface AppMetrics {
  store(db: Db): Db;
  cache(cache: ResponseCache): ResponseCache;
  requests: RequestMetrics;
  webhooks(parts: Parameters<typeof registerWebhookMetrics>[1]): void;
  freshness(load: Parameters<typeof showFreshness>[1]['load']): void;
  /** Starts to answer scrapes; returns where, or null. */
  serve(): Promise<string | null>;
}

const NO_METRICS: AppMetrics = {
  store: (db) => db,
  cache: (cache) => cache,
  requests: {
    counting: (next) => next,
    readApi: (api) => api,
    pages: (listener) => listener,
  },
  webhooks: () => undefined,
  freshness: () => undefined,
  serve: () => Promise.resolve(null),
};

type MetricsSettings = Pick<Settings, 'metricsPort' | 'metricsHost' | 'dataDir'>;

/** Without METRICS_PORT nothing is measured. */
export function createAppMetrics(deps: {
  settings: MetricsSettings;
  clock: Clock;
  log: Log;
  shutdown: Pick<Shutdown, 'register'>;
  readiness: Pick<Readiness, 'state'>;
  metrics?: Metrics;
}): AppMetrics {
  const { settings, clock, log, shutdown, readiness, metrics = createMetrics() } = deps;
  const { metricsPort: port, metricsHost: host } = settings;
  if (port === null) return NO_METRICS;
  const processMetrics = measureProcess(metrics, clock);
  shutdown.register('metrics of the process', processMetrics.stop);
  showHealth(metrics, { readiness, dataDir: settings.dataDir });
  return {
    store(db) {
      const measured = measuredDb(db, metrics, clock);
      showStore(metrics, db);
      return measured;
    },
    cache: (cache) => instrumentCache(cache, metrics),
    requests: instrumentRequests(metrics),
    webhooks: (parts) => registerWebhookMetrics(metrics, parts),
    freshness: (load) => showFreshness(metrics, { load, clock }),
    async serve() {
      const server = await startMetricsServer({ metrics, readiness, host, port, log }).catch(
        (error) => {
          throw notListening(error, settings);
        },
      );
      shutdown.register('metrics', () => server.close());
      log.info({ url: server.url }, 'figures for Prometheus');
      return server.url;
    },
  };
}

function notListening(
  error: unknown,
  { metricsHost, metricsPort }: Pick<MetricsSettings, 'metricsPort' | 'metricsHost'>,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (typeof code !== 'string') return error;
  const problem = `METRICS_PORT ${metricsPort} of ${metricsHost} cannot be had (${code})`;
  return new SettingsError([
    { problem, fix: 'choose another METRICS_PORT (0: any) or METRICS_HOST' },
  ]);
}
