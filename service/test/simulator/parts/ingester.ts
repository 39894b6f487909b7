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

export interface SimulatedIngester {
  process: SimulatedProcess;
  /** Ingests one response outside the schedule, as a replay would. */
  ingest(response: SourceResponse): Promise<ResponseReport>;
  stop(): Promise<void>;
}

/** Runs the real ingestion in one process: schedule, leases, rate limits and ingest. */
export function startIngester(
  process: SimulatedProcess,
  deps: {
    random: Random;
    sources: readonly SimulatedSource[];
    /** Called with every successfully ingested response. */
    onIngested(response: SourceResponse): void;
    onCommit(): void;
    track: Stage['track'];
  },
): SimulatedIngester {
  const { clock, db, name: holder } = process;
  const { random, sources, onCommit } = deps;
  const providers = sources.map(({ provider }) => provider);
  const ingestResponse = createIngest({ db, clock, providers, onCommit });
  const ingest: typeof ingestResponse = async (response, options) => {
    const report = await deps.track(process, ingestResponse(response, options));
    const [first] = report.datasets;
    if (first?.outcome === 'ingested') deps.onIngested(response);
    return report;
  };
  const setting = () => undefined;
  const options = { db, clock, random, log: silentLog, providers, ingest, setting };
  const feeds = createLiveFeeds({
    ...liveDeps(options, simulatedClient(process, random, sources)),
    // Holds leases under the simulated process's name, since all simulated processes share one real
    // process.
    withLease: (name, signal, events) =>
      withLease({ db, clock, log: silentLog, holder }, name, signal, events),
  });
  feeds.start();
  return {
    process,
    ingest: (response) => ingest(response),
    stop: () => feeds.stop(),
  };
}
