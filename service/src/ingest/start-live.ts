import { symbolsWithoutResult, unsettledFilingPages } from '../datasets/earnings/open-questions.ts';
import { loadJobProgress, saveJobProgress } from '../datasets/jobs/store.ts';
import { loadCiks, loadReporterCiks } from '../datasets/securities/filers.ts';
import { addDays } from '../domain/local-date.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { Clock } from '../platform/clock.ts';
import { createHttpClient } from '../platform/http-client.ts';
import type { Log } from '../platform/log.ts';
import type { Random } from '../platform/random.ts';
import type { Answer, PlanContext, Provider } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import type { Scope } from './jobs.ts';
import { createLiveFeeds } from './live.ts';

/** Companies that reported this many days ago, or will, are asked about often. */
const REPORTER_DAYS_BACK = 5;
const REPORTER_DAYS_AHEAD = 1;
/** A filing older than this is not worth a request of its own. */
const UNSETTLED_DAYS_BACK = 30;

export interface StartLiveOptions {
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  /** A source's key or contact by its name. */
  setting(name: string): string | undefined;
  providers: readonly Provider[];
  ingest(answer: Answer): Promise<unknown>;
}

/** The live feeds of this store, not yet started. */
export function startLiveFeeds(options: StartLiveOptions): {
  /** Resolves when the sources without a network have filled the store with its present state. */
  start(): Promise<void>;
  stop(): Promise<void>;
} {
  const { db, clock, random, log, providers, ingest } = options;
  const client = createHttpClient({ clock, random });
  const feeds = createLiveFeeds({
    providers,
    client,
    clock,
    random,
    log,
    ingest,
    planContext: (scope) => planContext(options, scope),
    progress: {
      load: (id) => loadJobProgress(db, id),
      save: (id, at) => saveJobProgress(db, id, at),
    },
  });
  return {
    start() {
      feeds.start();
      return feeds.firstFill();
    },
    async stop() {
      await feeds.stop();
      await client.close();
    },
  };
}

async function planContext(
  { db, clock, setting }: StartLiveOptions,
  scope: Scope,
): Promise<PlanContext> {
  const now = clock.now();
  const today = newYorkDate(now);
  const ciks =
    scope === 'all'
      ? await loadCiks(db)
      : await loadReporterCiks(
          db,
          addDays(today, -REPORTER_DAYS_BACK),
          addDays(today, REPORTER_DAYS_AHEAD),
        );
  return {
    now,
    today,
    ciks,
    withoutResult: await symbolsWithoutResult(db, addDays(today, -REPORTER_DAYS_BACK), today),
    unsettledFilings: await unsettledFilingPages(db, addDays(today, -UNSETTLED_DAYS_BACK)),
    setting,
  };
}
