import type { Feed, FeedRun, Priority, Provider, Scope } from '../providers/provider.ts';
import { daily, type Times } from '../domain/market/due-times.ts';

/** A scheduled job, which makes the requests for one feed at New York times. */
export interface Job {
  /** Identifies the job in logs and in its stored progress. */
  id: string;
  provider: string;
  feed: string;
  times: Times;
  scope: Scope;
  priority: Priority;
  /** Limits requests to those whose `date=` or `from=` is in this range of days from today. */
  days?: { from: number; to: number };
  everyDays?: number;
}

const NIGHTLY: FeedRun = { name: 'nightly', times: daily('03:00'), scope: 'reporters' };

/** Returns these providers' jobs. */
export function jobsOf(providers: readonly Provider[]): Job[] {
  return providers.flatMap((provider) =>
    provider.feeds
      .filter((feed) => feed.plan !== undefined)
      .flatMap((feed) => (feed.schedule ?? [NIGHTLY]).map((run) => jobOf(provider, feed, run))),
  );
}

function jobOf({ name: provider }: Provider, { name: feed }: Feed, run: FeedRun): Job {
  const { name, days, priority = 'routine', ...rest } = run;
  const job: Job = { id: `${provider}/${feed}/${name}`, provider, feed, priority, ...rest };
  return days === undefined ? job : { ...job, days: { from: days[0], to: days[1] } };
}
