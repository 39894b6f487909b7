import { createIngest } from '../../../src/ingest/ingest.ts';
import { createLiveFeeds } from '../../../src/ingest/live-feeds.ts';
import { liveDeps } from '../../../src/ingest/start-live.ts';
import { withLease } from '../../../src/ingest/lease.ts';
import type { ResponseReport } from '../../../src/ingest/report.ts';
import type { Random } from '../../../src/platform/random.ts';
import type { SourceResponse } from '../../../src/providers/provider.ts';
import { silentLog } from '../../support/logs.ts';
import { simulatedClient, type SimulatedSource } from '../world/source.ts';
import type { Stage } from '../stage.ts';
import type { SimulatedProcess } from '../world/process.ts';

export interface Gathering {
  process: SimulatedProcess;
  /** Ingests one response outside the schedule, as a replay does. */
  take(answer: SourceResponse): Promise<ResponseReport>;
  stop(): Promise<void>;
}

/** The real ingestion in one process: schedule, leases, rate limits, ingest. */
export function startGatherer(
  process: SimulatedProcess,
  deps: {
    random: Random;
    sources: readonly SimulatedSource[];
    /** Called with every successfully ingested response. */
    onIngested(answer: SourceResponse): void;
    onCommit(): void;
    track: Stage['track'];
  },
): Gathering {
  const { clock, db, name: holder } = process;
  const { random, sources, onCommit } = deps;
  const providers = sources.map(({ provider }) => provider);
  const ingestAny = createIngest({ db, clock, providers, onCommit });
  const ingest: typeof ingestAny = async (answer, how) => {
    const report = await deps.track(process, ingestAny(answer, how));
    const [first] = report.datasets;
    if (first?.outcome === 'ingested') deps.onIngested(answer);
    return report;
  };
  const setting = () => undefined;
  const options = { db, clock, random, log: silentLog, providers, ingest, setting };
  const feeds = createLiveFeeds({
    ...liveDeps(options, simulatedClient(process, random, sources)),
    // Holds leases in the name of the simulated process, since all of them share one real process.
    withLease: (name, signal, events) =>
      withLease({ db, clock, log: silentLog, holder }, name, signal, events),
  });
  feeds.start();
  return {
    process,
    take: (answer) => ingest(answer),
    stop: () => feeds.stop(),
  };
}
