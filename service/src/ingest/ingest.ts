import type { Topic } from '../datasets/topics.gen.ts';
import { singleWriterDb } from '../datasets/jobs/single-writer.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import { scrubUrl } from '../platform/scrub-url.ts';
import type { SourceResponse, SourceResponseError, Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { ingestResponse } from './ingest-response.ts';
import type { ResponseReport, RowResult } from './report.ts';
import { createRunLog, runFromReport } from './run-log.ts';

/**
 * Query parameters that contain API keys. Other secrets are sent in headers, which are not stored.
 */
export const SECRET_PARAMETERS = [
  'apikey',
  'api_key',
  'api_token',
  'key',
  'token',
  'crumb',
  'userid',
];

export interface IngestOptions {
  db: Db;
  clock: Clock;
  providers: readonly Provider[];
  /** Called after each commit with the topics it made stale. */
  onCommit(topics: ReadonlySet<Topic>): void;
}

export interface ResponseOptions {
  /** The store for a lease term, which rejects writes after the lease is lost. */
  db?: Db;
  /** Set for a readable response that must not be used. Such a response is only archived. */
  rejection?: SourceResponseError | undefined;
  /** See `IngestDeps`. */
  knownFrom?: Instant | undefined;
  /** See `IngestDeps`. */
  onRow?: ((result: RowResult) => void) | undefined;
}

export type Ingest = (
  response: SourceResponse,
  options?: ResponseOptions,
) => Promise<ResponseReport>;

/** Ingests live and recorded responses, one at a time. */
export function createIngest(options: IngestOptions): Ingest {
  let previous: Promise<unknown> = Promise.resolve();
  const runs = createRunLog(options);
  async function ingestNext(
    response: SourceResponse,
    { db, rejection: refusal, knownFrom, onRow }: ResponseOptions,
  ): Promise<ResponseReport> {
    const { overrides } = await loadMarketOverrides(options.db);
    const market = marketCalendar(overrides);
    const startedAt = options.clock.now();
    const startedAtMs = options.clock.monotonicMs();
    const report = await ingestResponse(
      {
        ...options,
        db: singleWriterDb(db ?? options.db),
        rejection: refusal,
        knownFrom,
        onRow,
        market: () => market,
        scrubUrl: (url) => scrubUrl(url, SECRET_PARAMETERS),
      },
      response,
    );
    const durationMs = options.clock.monotonicMs() - startedAtMs;
    const url = scrubUrl(response.url, SECRET_PARAMETERS);
    const run = runFromReport(report, { url, startedAt, durationMs });
    if (run !== null) await runs.record(run);
    return report;
  }
  return (response, responseOptions = {}) => {
    const report = previous.then(() => ingestNext(response, responseOptions));
    previous = report.catch(() => undefined);
    return report;
  };
}
