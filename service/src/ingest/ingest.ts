import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import { scrubUrl } from '../platform/scrub-url.ts';
import type { Answer, Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import { ingestAnswer } from './ingest-answer.ts';
import type { AnswerReport } from './report.ts';

/** Parameters under which sources take keys; other secrets travel in headers, which are not kept. */
const SECRET_PARAMETERS = ['apikey', 'api_key', 'api_token', 'token', 'crumb'];

export interface IngestOptions {
  db: Db;
  clock: Clock;
  providers: readonly Provider[];
  /** Told after each commit which topics are stale. */
  onCommit(topics: ReadonlySet<string>): void;
}

/** The way of every answer into the store, live or recorded. One answer at a time. */
export function createIngest(options: IngestOptions): (answer: Answer) => Promise<AnswerReport> {
  let last: Promise<unknown> = Promise.resolve();
  async function take(answer: Answer): Promise<AnswerReport> {
    const { overrides } = await loadMarketOverrides(options.db);
    const market = marketCalendar(overrides);
    return ingestAnswer(
      {
        ...options,
        market: () => market,
        scrubUrl: (url) => scrubUrl(url, SECRET_PARAMETERS),
      },
      answer,
    );
  }
  return (answer) => {
    const mine = last.then(() => take(answer));
    last = mine.catch(() => undefined);
    return mine;
  };
}
