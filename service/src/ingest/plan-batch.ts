import type { IngestRequest } from '../datasets/jobs/request-store.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Feed, PlanContext, Provider } from '../providers/provider.ts';
import { jobsOf, type Scope } from './jobs.ts';
import { urlDateRange, requestsByUrl, requestsForDays } from './planned-requests.ts';

export interface BatchPlan {
  requests: IngestRequest[];
  /** Feeds that were skipped because they have only current data. */
  presentOnly: string[];
}

export interface PlanDeps {
  planContext(scope: Scope): Promise<PlanContext>;
}

/**
 * Plans one run: all requests for the sources, or only the requests for one day. A feed includes
 * all companies only if its schedule does.
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

/** Plans all requests for the sources over a range of days, newest first. */
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
    plan.requests.push(...days.map((planned) => ({ ...request, ...planned })));
    const urls = [...requestsByUrl(feed, context).keys()];
    const isPresentOnly = urls.length > 0 && urls.every((url) => urlDateRange(url) === null);
    if (isPresentOnly) plan.presentOnly.push(`${provider.name}/${feed.name}`);
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
