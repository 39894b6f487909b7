import type { FairQueue } from '../platform/fair-queue.ts';
import type { Metrics } from '../platform/metrics.ts';

/** Exports metrics for the computation of responses. */
export function registerComputeMetrics(
  metrics: Metrics,
  parts: {
    queue: Pick<FairQueue, 'running' | 'waiting'>;
    usedMs: () => number;
    refused: () => number;
  },
): void {
  const { queue, usedMs, refused } = parts;
  metrics.gauge(
    {
      name: 'afterbell_computations',
      help: 'Responses that are being computed or wait for it, by state (running or waiting).',
      labels: ['state'],
    },
    () => [
      { value: queue.running, labels: { state: 'running' } },
      { value: queue.waiting, labels: { state: 'waiting' } },
    ],
  );
  metrics.counterOf(
    {
      name: 'afterbell_compute_seconds_total',
      help: 'Time in which responses were computed, charged to customers.',
    },
    () => [{ value: usedMs() / 1_000 }],
  );
  metrics.counterOf(
    {
      name: 'afterbell_compute_refused_total',
      help: 'Requests refused because the computing time of the plan was used up.',
    },
    () => [{ value: refused() }],
  );
}
