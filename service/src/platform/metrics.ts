import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from '@prometheus-io/client';

/** A metric as listed in docs/metrics.md. */
export interface MetricSpec {
  /** Ends with the unit, or with `_total` for counters, as Prometheus recommends. */
  name: string;
  help: string;
  labels?: readonly string[];
}

/** A metric whose value may rise and fall. */
export interface GaugeSpec extends MetricSpec {
  /**
   * Combines the values of processes that are scraped together. Default: `max`, for values that are
   * the same in all of them.
   */
  combine?: 'sum' | 'max' | 'min';
}

/** The values of all metrics of a process at one time. It can be sent to another process. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** A value read at scrape time, with a value for each of the metric's labels. */
export interface Reading {
  value: number;
  labels?: Readonly<Record<string, string>>;
}

/** Counts per bucket. The last one is for durations above the last bound. */
export interface HistogramCounts {
  boundsSeconds: readonly number[];
  counts: readonly number[];
  sumSeconds: number;
}

type Read = () => readonly Reading[] | Promise<readonly Reading[]>;
type Labels = Readonly<Record<string, string>>;

/** Metrics for one process, exposed to Prometheus. Only this file uses the client library. */
export interface Metrics {
  /** Registers a counter that is incremented as events happen. */
  counter(spec: MetricSpec): { inc(labels?: Labels): void };
  /** Registers a counter that is kept elsewhere and read at each scrape. */
  counterOf(spec: MetricSpec, read: Read): void;
  /**
   * Registers a gauge that is read at each scrape. The gauge is absent while there is no reading.
   */
  gauge(spec: GaugeSpec, read: Read): void;
  histogram(spec: MetricSpec & { boundsSeconds: readonly number[] }): {
    observe(seconds: number, labels?: Labels): void;
  };
  /** Registers a histogram that is kept elsewhere. */
  histogramOf(spec: MetricSpec, read: () => HistogramCounts): void;
  /** Returns all metrics in Prometheus text format 0.0.4. */
  text(): Promise<string>;
  snapshot(): Promise<MetricsSnapshot>;
  contentType: string;
  /** Returns all metrics in the same order as in `text()`. */
  list(): readonly (MetricSpec & { type: string })[];
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const listed: (MetricSpec & { type: string })[] = [];

  function list({ name, help, labels = [] }: MetricSpec, type: string) {
    listed.push({ name, help, labels, type });
    return { name, help, labelNames: [...labels], registers: [registry] };
  }

  return {
    counter(spec) {
      const counter = new Counter(list(spec, 'counter'));
      return { inc: (labels = {}) => counter.inc(labels) };
    },
    counterOf(spec, read) {
      const counter: Counter<string> = new Counter({
        ...list(spec, 'counter'),
        async collect() {
          const readings = await read();
          counter.reset();
          for (const { value, labels = {} } of readings) counter.inc(labels, value);
        },
      });
    },
    gauge(spec, read) {
      const gauge: Gauge<string> = new Gauge({
        ...list(spec, 'gauge'),
        aggregator: spec.combine ?? 'max',
        async collect() {
          const readings = await read();
          // A reset gauge without labels shows zero, which would be wrong for an unknown value, so
          // it is removed instead. With labels, a reset shows nothing, and the client can remove
          // only one series at a time.
          if (readings.length === 0 && spec.labels === undefined) gauge.remove();
          else gauge.reset();
          for (const { value, labels = {} } of readings) gauge.set(labels, value);
        },
      });
    },
    histogram(spec) {
      const buckets = [...spec.boundsSeconds];
      const histogram = new Histogram({ ...list(spec, 'histogram'), buckets });
      return { observe: (seconds, labels = {}) => histogram.observe(labels, seconds) };
    },
    histogramOf(spec, read) {
      const { name, help } = list(spec, 'histogram');
      const type = { name, help, type: 'histogram', aggregator: 'sum' };
      const get = async () => ({ ...type, values: bucketsOf(name, read()) });
      // The client's histograms cannot be set from counts. A registry needs only these members.
      registry.registerMetric({ name, get, reset: () => undefined } as unknown as Metric);
    },
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
    list: () => listed,
  };
}

/**
 * Combines the metrics of several processes. Counters and histograms are added up; `combine` of a
 * gauge says what becomes of its values.
 */
export function combineMetrics(
  snapshots: readonly MetricsSnapshot[],
): Pick<Metrics, 'text' | 'snapshot'> {
  const registry = AggregatorRegistry.aggregate([...snapshots]);
  return { text: () => registry.metrics(), snapshot: () => registry.getMetricsAsJSON() };
}

/** Converts counts to Prometheus buckets, which are cumulative. */
function bucketsOf(name: string, { boundsSeconds, counts, sumSeconds }: HistogramCounts) {
  let sum = 0;
  const values = counts.map((count, index) => {
    sum += count;
    const le = boundsSeconds[index] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { le }, value: sum };
  });
  return [
    ...values,
    { metricName: `${name}_sum`, labels: {}, value: sumSeconds },
    { metricName: `${name}_count`, labels: {}, value: sum },
  ];
}
