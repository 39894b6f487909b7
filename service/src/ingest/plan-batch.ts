import type { IngestRequest } from '../datasets/jobs/request-store.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Feed, PlanContext, Provider } from '../providers/provider.ts';
import { jobsOf, type Scope } from './jobs.ts';
import { urlDateRange, requestsByUrl, requestsForDays } from './planned-requests.ts';

export interface BatchPlan {
  requests: IngestRequest[];
  /** Feeds that were left out, since they know only the present. */
  presentOnly: string[];
}

export interface PlanDeps {
  planContext(scope: Scope): Promise<PlanContext>;
}

/**
 * One pass now: all that the sources are asked in a whole round, or only what is about one day.
 * A feed is asked about all companies only where its timetable does so.
 */
export async function planRun(
  deps: PlanDeps,
  providers: readonly Provider[],
  options: { feed: string | null; date: LocalDate | null },
): Promise<BatchPlan> {
  const { date } = options;
  if (date !== null) return planDays(deps, providers, { feed: options.feed, from: date, to: date });
  const requests: IngestRequest[] = [];
  for (const { provider, feed, scope } of feedsOf(providers, options.feed)) {
    const context = await deps.planContext(scope);
    for (const url of requestsByUrl(feed, context).keys()) {
      requests.push({ provider: provider.name, feed: feed.name, url, day: context.today });
    }
  }
  return { requests, presentOnly: [] };
}

/** All that the sources can be asked about the days, newest first. */
export async function planDays(
  deps: PlanDeps,
  providers: readonly Provider[],
  options: { feed: string | null; from: LocalDate; to: LocalDate },
): Promise<BatchPlan> {
  const plan: BatchPlan = { requests: [], presentOnly: [] };
  for (const { provider, feed, scope } of feedsOf(providers, options.feed)) {
    const context = await deps.planContext(scope);
    const days = requestsForDays(feed, context, options.from, options.to);
    const request = { provider: provider.name, feed: feed.name };
    plan.requests.push(...days.map((each) => ({ ...request, ...each })));
    const planned = [...requestsByUrl(feed, context).keys()];
    const isPresent = planned.length > 0 && planned.every((url) => urlDateRange(url) === null);
    if (isPresent) plan.presentOnly.push(`${provider.name}/${feed.name}`);
  }
  return plan;
}

function feedsOf(
  providers: readonly Provider[],
  name: string | null,
): { provider: Provider; feed: Feed; scope: Scope }[] {
  return providers.flatMap((provider) =>
    provider.feeds
      .filter((feed) => feed.plan !== undefined && (name === null || feed.name === name))
      .map((feed) => {
        const jobs = jobsOf([provider]).filter((job) => job.feed === feed.name);
        const isAll = jobs.some(({ scope }) => scope === 'all');
        return { provider, feed, scope: isAll ? 'all' : 'reporters' };
      }),
  );
}
