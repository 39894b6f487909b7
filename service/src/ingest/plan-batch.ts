import type { IngestRequest } from '../datasets/jobs/request-store.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Feed, PlanContext, Provider, Scope } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import { type Job, jobsOf } from './jobs.ts';
import { requestsByUrl, requestsForDays, storedUrl, urlDateRange } from './planned-requests.ts';
import { tonightsRequests } from './rotation.ts';

export interface BatchPlan {
  requests: IngestRequest[];
  /** Feeds that were skipped because they have only current data. */
  presentOnly: string[];
}

export interface PlanDeps {
  planContext(scope: Scope): Promise<PlanContext>;
  jobs: Pick<JobStore, 'loadResponseTimes'>;
}

/**
 * Plans one run: all requests for the sources, or only the requests for one day. A feed includes
 * all companies only if its schedule does, and of a rotation only tonight's share.
 */
export async function planRun(
  deps: PlanDeps,
  providers: readonly Provider[],
  options: { feed: string | null; date: LocalDate | null },
): Promise<BatchPlan> {
  const { date } = options;
  if (date !== null) return planDays(deps, providers, { feed: options.feed, from: date, to: date });
  const requests: IngestRequest[] = [];
  for (const { provider, feed, scope, rotation } of feedsOf(providers, options.feed)) {
    const context = await deps.planContext(scope);
    const planned = [...requestsByUrl(feed, context).values()];
    const selected =
      rotation === undefined
        ? planned
        : await tonightsRequests(deps.jobs, rotation, { requests: planned, now: context.now });
    for (const { url } of selected) {
      const day = context.today;
      requests.push({ provider: provider.name, feed: feed.name, url: storedUrl(url), day });
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
): { provider: Provider; feed: Feed; scope: Scope; rotation: Job | undefined }[] {
  return providers.flatMap((provider) =>
    provider.feeds
      .filter((feed) => feed.plan !== undefined && (name === null || feed.name === name))
      .map((feed) => {
        const jobs = jobsOf([provider]).filter((job) => job.feed === feed.name);
        const isAll = jobs.some(({ scope }) => scope === 'all');
        const rotation = jobs.find(({ everyDays }) => everyDays !== undefined);
        return { provider, feed, scope: isAll ? 'all' : 'reporters', rotation };
      }),
  );
}
