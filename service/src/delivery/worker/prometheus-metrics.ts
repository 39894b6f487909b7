import { loadQueueFigures, type QueueFigures } from '../../webhooks/stats/queue-stats.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics, Spread } from '../../platform/metrics.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Histogram, WebhookMetrics } from './metrics.ts';

/** So that one look serves all figures of a scrape, and hasty scrapers do not load the store. */
const LOOK_EVERY_MS = 5_000;

/** Shows what a worker counts, and how the queue stands that it shares with others. */
export function registerWebhookMetrics(
  metrics: Metrics,
  { worker, db, clock }: { worker: WebhookMetrics; db: Queryable; clock: Clock },
): void {
  showWorker(metrics, worker);
  const figures = figuresNow(db, clock);
  const show = (name: string, help: string, of: keyof QueueFigures): void =>
    metrics.gauge({ name: `afterbell_webhook_${name}`, help }, async () => {
      const now = await figures();
      return now === null ? [] : [{ value: now[of] }];
    });
  show('due', 'Deliveries that are due and not under way, counted up to 100,000.', 'due');
  show('oldest_due_seconds', 'How long the oldest of them has been due.', 'oldestDueSeconds');
  show('claimed', 'Deliveries under way from all processes.', 'inFlight');
  show('untold_companies', 'Changed companies whose subscribers are not all told yet.', 'toTell');
  show('slow_endpoints', 'Endpoints in the slow lane.', 'slowEndpoints');
  show('failing_endpoints', 'Endpoints of which the last attempt failed.', 'failingEndpoints');
  show('disabled_endpoints', 'Endpoints that are disabled.', 'disabledEndpoints');
}

function showWorker(metrics: Metrics, worker: WebhookMetrics): void {
  metrics.gauge(
    { name: 'afterbell_webhook_in_flight', help: 'Deliveries under way from this process.' },
    () => [{ value: worker.inFlight }],
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_attempts_total',
      help: 'Attempts by outcome: delivered, gone, or the code of the failure.',
      labels: ['outcome'],
    },
    () => byLabel('outcome', worker.attempts),
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_blocked_total',
      help: 'Attempts that were refused for their address, by its class (private, loopback, metadata and so on).',
      labels: ['class'],
    },
    () => byLabel('class', worker.blockedAddresses),
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_alerts_total',
      help: 'Alerts to owners of endpoints by kind: failing, failing_24h, failing_72h, disabled, recovered.',
      labels: ['kind'],
    },
    () => byLabel('kind', worker.alerts),
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_lease_expiries_total',
      help: 'Attempts whose outcome nobody knows, since their process was cut off.',
    },
    () => [{ value: worker.leaseExpiries }],
  );
  metrics.counterOf(
    {
      name: 'afterbell_webhook_given_back_total',
      help: 'Deliveries that were claimed and given back without a byte sent.',
    },
    () => [{ value: worker.released }],
  );
  metrics.histogramOf(
    {
      name: 'afterbell_webhook_change_to_post_seconds',
      help: 'From the commit of a change to the first POST of it.',
    },
    () => inSeconds(worker.changeToPost),
  );
  metrics.histogramOf(
    {
      name: 'afterbell_webhook_change_to_answer_seconds',
      help: 'From the commit of a change to the 2xx of its receiver, retries included.',
    },
    () => inSeconds(worker.changeToAck),
  );
  metrics.gauge(
    {
      name: 'afterbell_webhook_clock_offset_seconds',
      help: 'How far the clock of this process is ahead of the database’s; beyond 5 nothing is sent.',
    },
    () => (worker.clockOffsetMs === null ? [] : [{ value: worker.clockOffsetMs / 1_000 }]),
  );
}

/** Null while the store is away: then the rest is shown without them. */
function figuresNow(db: Queryable, clock: Clock): () => Promise<QueueFigures | null> {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let figures: Promise<QueueFigures | null> = Promise.resolve(null);
  return () => {
    if (clock.monotonicMs() - lookedAtMs >= LOOK_EVERY_MS) {
      lookedAtMs = clock.monotonicMs();
      figures = loadQueueFigures(db, clock.now()).catch(() => null);
    }
    return figures;
  };
}

function byLabel(label: string, counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).map(([name, value]) => ({ value, labels: { [label]: name } }));
}

function inSeconds({ boundsMs, counts, sumMs }: Histogram): Spread {
  return {
    boundsSeconds: boundsMs.map((bound) => bound / 1_000),
    counts,
    sumSeconds: sumMs / 1_000,
  };
}
