import { Counter, Gauge, Histogram, type Metric, Registry } from '@prometheus-io/client';

/** What is measured, as docs/metrics.md lists it. */
export interface MetricSpec {
  /** With its unit last, as Prometheus has it: `_seconds`, `_bytes`, `_total` of what only rises. */
  name: string;
  help: string;
  labels?: readonly string[];
}

/** A value at the moment somebody looks, with a label for each that the metric has. */
export interface Reading {
  value: number;
  labels?: Readonly<Record<string, string>>;
}

/** How many took up to so many seconds; the last count is of those that took longer. */
export interface Spread {
  boundsSeconds: readonly number[];
  counts: readonly number[];
  sumSeconds: number;
}

type Read = () => readonly Reading[] | Promise<readonly Reading[]>;
type Labels = Readonly<Record<string, string>>;

/** The figures of one process, as Prometheus scrapes them. The only door to its client. */
export interface Metrics {
  /** What only rises, counted as it happens. */
  counter(spec: MetricSpec): { inc(labels?: Labels): void };
  /** What only rises and is counted elsewhere: read at each scrape. */
  counterOf(spec: MetricSpec, read: Read): void;
  /** What is so now; nothing when there is nothing to read. */
  gauge(spec: MetricSpec, read: Read): void;
  histogram(spec: MetricSpec & { boundsSeconds: readonly number[] }): {
    observe(seconds: number, labels?: Labels): void;
  };
  /** A histogram that is kept elsewhere. */
  histogramOf(spec: MetricSpec, read: () => Spread): void;
  /** In the text format of Prometheus 0.0.4. */
  text(): Promise<string>;
  contentType: string;
  /** Everything that is measured, in the order of the text. */
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
        async collect() {
          const readings = await read();
          // Without labels a reset shows zero, which would be a lie where nothing is known; with
          // labels it shows nothing, and the client removes no more than one series at a time.
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
      const get = async () => ({
        name,
        help,
        type: 'histogram',
        aggregator: 'sum',
        values: bucketsOf(name, read()),
      });
      // The client's own histograms take no counts; a registry asks its metrics for no more than this.
      registry.registerMetric({ name, get, reset: () => undefined } as unknown as Metric);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    list: () => listed,
  };
}

/** Each bucket counts those below it too. */
function bucketsOf(name: string, { boundsSeconds, counts, sumSeconds }: Spread) {
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
