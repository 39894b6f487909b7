import { singleWriterDb } from '../datasets/jobs/single-writer.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import { scrubUrl } from '../platform/scrub-url.ts';
import type { SourceResponse, SourceResponseError, Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { ingestResponse } from './ingest-response.ts';
import type { ResponseReport } from './report.ts';
import { createRunLog, runFromReport } from './run-log.ts';

/** Parameters under which sources take keys; other secrets travel in headers, which are not kept. */
export const SECRET_PARAMETERS = ['apikey', 'api_key', 'api_token', 'token', 'crumb'];

export interface IngestOptions {
  db: Db;
  clock: Clock;
  providers: readonly Provider[];
  /** Told after each commit which topics are stale. */
  onCommit(topics: ReadonlySet<string>): void;
}

/** How one answer is taken in. */
export interface ResponseOptions {
  /** A store that refuses what comes too late, in place of the plain one. */
  db?: Db;
  /** Why the answer, which can be read, is only archived. */
  rejection?: SourceResponseError | undefined;
}

export type Ingest = (answer: SourceResponse, options?: ResponseOptions) => Promise<ResponseReport>;

/** The way of every answer into the store, live or recorded. One answer at a time. */
export function createIngest(options: IngestOptions): Ingest {
  let last: Promise<unknown> = Promise.resolve();
  const runs = createRunLog(options);
  async function take(
    answer: SourceResponse,
    { db, rejection: refusal }: ResponseOptions,
  ): Promise<ResponseReport> {
    const { overrides } = await loadMarketOverrides(options.db);
    const market = marketCalendar(overrides);
    const startedAt = options.clock.now();
    const beganMs = options.clock.monotonicMs();
    const report = await ingestResponse(
      {
        ...options,
        db: singleWriterDb(db ?? options.db),
        rejection: refusal,
        market: () => market,
        scrubUrl: (url) => scrubUrl(url, SECRET_PARAMETERS),
      },
      answer,
    );
    const durationMs = options.clock.monotonicMs() - beganMs;
    const url = scrubUrl(answer.url, SECRET_PARAMETERS);
    const run = runFromReport(report, { url, startedAt, durationMs });
    if (run !== null) await runs.record(run);
    return report;
  }
  return (answer, how = {}) => {
    const mine = last.then(() => take(answer, how));
    last = mine.catch(() => undefined);
    return mine;
  };
}
