import { loadQueueStats, type QueueStats } from '../../webhooks/stats/queue-stats.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics, HistogramCounts } from '../../platform/metrics.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Histogram, WebhookMetrics } from './metrics.ts';

/**
 * Cache lifetime. All gauges in a scrape share one read, and frequent scrapes do not load the
 * store.
 */
const CACHE_MS = 5_000;

/** Registers a worker's counters and the queue gauges, which all processes share. */
export function registerWebhookMetrics(
  metrics: Metrics,
  { worker, db, clock }: { worker: WebhookMetrics; db: Queryable; clock: Clock },
): void {
  registerAttempts(metrics, worker);
  registerLatency(metrics, worker);
  const load = cachedFigures(db, clock);
  const gauge = (name: string, help: string, field: keyof QueueStats): void =>
    metrics.gauge({ name: `afterbell_webhook_${name}`, help }, async () => {
      const figures = await load();
      return figures === null ? [] : [{ value: figures[field] }];
    });
  gauge('due', 'Deliveries that are due and not in flight, counted up to 100,000.', 'due');
  gauge('oldest_due_seconds', 'Age of the oldest due delivery.', 'oldestDueSeconds');
  gauge('claimed', 'Deliveries in flight from all processes.', 'inFlight');
  gauge('untold_companies', 'Changed companies whose fan-out is not complete.', 'toTell');
  gauge('slow_endpoints', 'Endpoints limited to one delivery at a time.', 'slowEndpoints');
  gauge('failing_endpoints', 'Endpoints whose last attempt failed.', 'failingEndpoints');
  gauge('disabled_endpoints', 'Disabled endpoints.', 'disabledEndpoints');
}

function registerAttempts(metrics: Metrics, worker: WebhookMetrics): void {
  metrics.gauge(
    { name: 'afterbell_webhook_in_flight', help: 'Deliveries in flight from this process.' },
    () => [{ value: worker.inFlight }],
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_attempts_total',
      help: 'Attempts by outcome: delivered, gone, or the error code.',
      labels: ['outcome'],
    },
    () => byLabel('outcome', worker.attempts),
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_blocked_total',
      help: 'Attempts blocked for their address, by class (private, loopback, metadata and so on).',
      labels: ['class'],
    },
    () => byLabel('class', worker.blockedAddresses),
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_alerts_total',
      help: 'Endpoint alerts by kind: failing, failing_24h, failing_72h, disabled, recovered.',
      labels: ['kind'],
    },
    () => byLabel('kind', worker.alerts),
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_lease_expiries_total',
      help: 'Attempts with an unknown outcome, because their lease expired.',
    },
    () => [{ value: worker.leaseExpiries }],
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_given_back_total',
      help: 'Deliveries claimed and released before the first byte.',
    },
    () => [{ value: worker.released }],
  );
}

function registerLatency(metrics: Metrics, worker: WebhookMetrics): void {
  metrics.histogramOf(
    {
      name: 'afterbell_webhook_change_to_post_seconds',
      help: 'Time from the commit of a change to its first POST.',
    },
    () => inSeconds(worker.changeToPost),
  );
  metrics.histogramOf(
    {
      name: 'afterbell_webhook_change_to_answer_seconds',
      help: 'Time from the commit of a change to the 2xx response, retries included.',
    },
    () => inSeconds(worker.changeToAck),
  );
  metrics.gauge(
    {
      name: 'afterbell_webhook_clock_offset_seconds',
      help: 'Lead of the process clock over the database’s. Beyond 5, nothing is sent.',
    },
    () => (worker.clockOffsetMs === null ? [] : [{ value: worker.clockOffsetMs / 1_000 }]),
  );
}

/**
 * Returns a function that reads the cached figures. It returns null while the store is unavailable,
 * so that the other metrics are still served.
 */
function cachedFigures(db: Queryable, clock: Clock): () => Promise<QueueStats | null> {
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let figures: Promise<QueueStats | null> = Promise.resolve(null);
  return () => {
    if (clock.monotonicMs() - loadedAtMs >= CACHE_MS) {
      loadedAtMs = clock.monotonicMs();
      figures = loadQueueStats(db, clock.now()).catch(() => null);
    }
    return figures;
  };
}

function byLabel(label: string, counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).map(([name, value]) => ({ value, labels: { [label]: name } }));
}

function inSeconds({ boundsMs, counts, sumMs }: Histogram): HistogramCounts {
  return {
    boundsSeconds: boundsMs.map((bound) => bound / 1_000),
    counts,
    sumSeconds: sumMs / 1_000,
  };
}
