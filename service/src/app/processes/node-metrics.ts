import type { ReadyState } from '../../http/readiness.ts';
import type { Clock } from '../../platform/clock.ts';
import { combineMetrics, createMetrics, type MetricsSnapshot } from '../../platform/metrics.ts';
import { registerProcessMetrics } from '../../platform/process-metrics.ts';
import type { ProcessReport } from './messages.ts';
import type { Supervisor } from './supervisor.ts';

/** The metrics and the readiness of a node, which METRICS_PORT serves. */
export interface NodeMetrics {
  text(): Promise<string>;
  contentType: string;
  /** Ready only if every process is. */
  state(): Promise<ReadyState>;
  /** Call it when a process has ended. Its counts stay in the totals. */
  onEnded(number: number): void;
  stop(): void;
}

/**
 * Combines the metrics of all processes. Counters are sums that never decrease: what a process had
 * counted at the last scrape remains when it ends. Gauges are sums, maxima or minima, as registered.
 */
export function createNodeMetrics(deps: {
  clock: Clock;
  supervisor: Pick<Supervisor, 'collect' | 'restarts'>;
  /** Aborted when shutdown begins. */
  closing: AbortSignal;
  isStarted: () => boolean;
}): NodeMetrics {
  const { clock, supervisor, closing, isStarted } = deps;
  const own = createMetrics();
  const processMetrics = registerProcessMetrics(own, clock);
  const latest = new Map<number, MetricsSnapshot>();
  /** Counts of processes that have ended. */
  let ended: MetricsSnapshot[] = [];
  let reports: readonly (ProcessReport | null)[] = [];
  own.gauge(
    { name: 'afterbell_processes_ready', help: 'Serving processes of this node that are ready.' },
    () => [{ value: reports.filter((report) => report?.readiness === 'ready').length }],
  );
  own.counterOf(
    { name: 'afterbell_process_restarts_total', help: 'Restarts of processes that had ended.' },
    () => [{ value: supervisor.restarts }],
  );
  own.gauge({ name: 'afterbell_ready', help: 'Whether /readyz reports ready: 1 or 0.' }, () => [
    { value: stateOf(reports) === 'ready' ? 1 : 0 },
  ]);

  function stateOf(states: readonly (ProcessReport | null)[]): ReadyState {
    if (closing.aborted) return 'closing';
    if (!isStarted()) return 'starting';
    return states.every((report) => report?.readiness === 'ready') ? 'ready' : 'not ready';
  }

  return {
    async text() {
      reports = await supervisor.collect();
      for (const [at, report] of reports.entries()) {
        if (report?.metrics != null) latest.set(at + 1, report.metrics);
      }
      ended = [await combineMetrics(ended).snapshot()];
      return combineMetrics([await own.snapshot(), ...ended, ...latest.values()]).text();
    },
    contentType: own.contentType,
    state: async () => stateOf(await supervisor.collect()),
    onEnded(number) {
      const counts = latest.get(number)?.filter(({ type }) => COUNTS.has(type)) ?? [];
      latest.delete(number);
      ended.push(counts);
    },
    stop: processMetrics.stop,
  };
}

const COUNTS: ReadonlySet<string> = new Set(['counter', 'histogram']);
