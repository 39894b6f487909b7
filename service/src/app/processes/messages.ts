import type { Settings } from '../../config/settings.ts';
import type { ReadyState } from '../../http/readiness.ts';
import type { MetricsSnapshot } from '../../platform/metrics.ts';
import type { NodeProcess } from './node-process.ts';

/** Messages of the supervising process to a serving process. */
export type ToProcess =
  | { kind: 'start'; settings: Settings; process: NodeProcess }
  | { kind: 'collect'; id: number }
  | { kind: 'stop' };

/** Messages of a serving process. */
export type FromProcess =
  | ({ kind: 'listening' } & Listening)
  | ({ kind: 'collected'; id: number } & ProcessReport);

export interface Listening {
  url: string;
  /** The greeting that the node prints once. */
  welcome: string;
}

export interface ProcessReport {
  readiness: ReadyState;
  /** Null without METRICS_PORT. */
  metrics: MetricsSnapshot | null;
}
