import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from './clock.ts';
import type { Metrics } from './metrics.ts';

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
const RESOLUTION_MS = 10;

/**
 * Registers metrics for processor time, memory and event loop delay, under the names that common
 * dashboards use.
 */
export function registerProcessMetrics(metrics: Metrics, clock: Clock): { stop(): void } {
  const startedAt = clock.now();
  metrics.counterOf(
    {
      name: 'process_cpu_seconds_total',
      help: 'User and system processor time of this process, in seconds.',
    },
    () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / MICROSECONDS }];
    },
  );
  metrics.gauge(
    {
      name: 'process_start_time_seconds',
      help: 'Start time of this process, in seconds since 1970.',
      combine: 'min',
    },
    () => [{ value: startedAt / 1_000 }],
  );
  metrics.gauge(
    {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of this process.',
      combine: 'sum',
    },
    () => [{ value: process.memoryUsage.rss() }],
  );
  metrics.gauge(
    {
      name: 'nodejs_memory_bytes',
      help: 'Memory by part: heap_used, heap_total or external (includes array buffers).',
      labels: ['part'],
      combine: 'sum',
    },
    () => {
      const { heapUsed, heapTotal, external } = process.memoryUsage();
      return [
        { value: heapUsed, labels: { part: 'heap_used' } },
        { value: heapTotal, labels: { part: 'heap_total' } },
        { value: external, labels: { part: 'external' } },
      ];
    },
  );
  return registerEventLoopDelay(metrics);
}

function registerEventLoopDelay(metrics: Metrics): { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  metrics.gauge(
    {
      name: 'nodejs_eventloop_delay_seconds',
      help: 'Event loop delay since the last scrape: p50, p99 and max.',
      labels: ['quantile'],
    },
    () => {
      const readings = [
        { value: lateness(delay.percentile(50)), labels: { quantile: 'p50' } },
        { value: lateness(delay.percentile(99)), labels: { quantile: 'p99' } },
        { value: lateness(delay.max), labels: { quantile: 'max' } },
      ];
      const isMeasured = delay.count > 0;
      delay.reset();
      return isMeasured ? readings : [];
    },
  );
  return { stop: () => void delay.disable() };
}

/** Subtracts the sampling interval, which the measured delay includes. */
function lateness(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000);
}
