import type { Metrics } from '../../platform/metrics.ts';
import type { ChangeStreams } from './change-streams.ts';

export function registerStreamMetrics(
  metrics: Metrics,
  streams: Pick<ChangeStreams, 'counts'>,
): void {
  metrics.gauge(
    {
      name: 'afterbell_streams_open',
      help: 'Open streams of changes, of at most 4,000 per process.',
      combine: 'sum',
    },
    () => [{ value: streams.counts().open }],
  );
  metrics.counterOf(
    {
      name: 'afterbell_stream_events_total',
      help: 'Changes sent to streams. A change counts for each stream it goes to.',
    },
    () => [{ value: streams.counts().sentEvents }],
  );
}
