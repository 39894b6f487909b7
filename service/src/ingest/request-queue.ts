import type { IngestRequest } from '../datasets/jobs/request-store.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { FeedRequest, PlanContext, Provider, Scope } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import { requestsByUrl } from './planned-requests.ts';
import { coolingHosts, fetchAndIngest, type RunDeps } from './run-requests.ts';

export interface RequestQueue {
  /**
   * Makes the next queued request. Returns false if there is none or the source is cooling down.
   */
  runNext(which: 'urgent' | 'any'): Promise<boolean>;
  /**
   * Makes all urgent requests. Checks the store at most every 10 seconds, so that it can be called
   * repeatedly during a job.
   */
  runUrgent(): Promise<void>;
}

const POLL_MS = 10_000;

/** Creates a queue for one source's backfill and manual-run requests, as recorded in the store. */
export function createRequestQueue(
  deps: RunDeps & {
    jobs: JobStore;
    planContext(scope: Scope): Promise<PlanContext>;
  },
  provider: Provider,
): RequestQueue {
  let plan: { feed: string; day: LocalDate; requests: Map<string, FeedRequest> } | null = null;
  let polledAtMs = Number.NEGATIVE_INFINITY;

  /** Plans the request again, because the store contains neither keys nor headers. */
  async function planned(queued: IngestRequest): Promise<FeedRequest | null> {
    const feed = provider.feeds.find(({ name }) => name === queued.feed);
    if (feed === undefined) return null;
    if (plan?.feed !== queued.feed || plan.day !== queued.day) {
      const context = { ...(await deps.planContext('all')), today: queued.day };
      plan = { feed: queued.feed, day: queued.day, requests: requestsByUrl(feed, context) };
    }
    return plan.requests.get(queued.url) ?? null;
  }

  async function runNext(which: 'urgent' | 'any'): Promise<boolean> {
    if (deps.signal.aborted || deps.source.cooldown() !== null) return false;
    const queued = await deps.jobs.nextRequest(provider.name, {
      isUrgentOnly: which === 'urgent',
      exceptHosts: coolingHosts(deps.source),
    });
    if (queued === null) return false;
    const request = await planned(queued);
    if (request === null) {
      await deps.jobs.finishRequest(queued, 'dropped', 0);
      return true;
    }
    const result = await fetchAndIngest(deps, request);
    // A request that a cooldown prevented stays open and is not counted as an attempt.
    if (result.kind === 'stopped') return false;
    // The requests to other hosts go on.
    if (result.kind === 'cooldown') return coolingHosts(deps.source).length > 0;
    if (result.kind === 'unavailable') await deps.jobs.failRequest(queued);
    else if (result.kind === 'rejected' && result.isUnusable) await deps.jobs.failRequest(queued);
    else await deps.jobs.finishRequest(queued, result.kind, result.rows);
    return true;
  }

  async function runUrgent(): Promise<void> {
    const nowMs = deps.clock.monotonicMs();
    if (nowMs - polledAtMs < POLL_MS) return;
    polledAtMs = nowMs;
    while (await runNext('urgent'));
  }

  return { runNext, runUrgent };
}
