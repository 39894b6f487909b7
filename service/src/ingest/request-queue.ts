import type { IngestRequest } from '../datasets/jobs/request-store.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Clock } from '../platform/clock.ts';
import type { FeedRequest, PlanContext, Provider } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import type { Scope } from './jobs.ts';
import { requestsByUrl } from './planned-requests.ts';
import { fetchAndIngest, type RunDeps } from './run-requests.ts';

export interface RequestQueue {
  /** Makes the next request that was asked for; false when none is open or the source rests. */
  runNext(which: 'urgent' | 'any'): Promise<boolean>;
  /** In the midst of other work: makes what is urgent, and looks for it every ten seconds at most. */
  runUrgent(): Promise<void>;
}

const LOOK_MS = 10_000;

/** Makes the requests of back-fills and of runs asked for by hand, as they stand in the store. */
export function createRequestQueue(
  deps: RunDeps & {
    clock: Clock;
    jobs: JobStore;
    planContext(scope: Scope): Promise<PlanContext>;
  },
  provider: Provider,
): RequestQueue {
  let plan: { feed: string; day: LocalDate; requests: Map<string, FeedRequest> } | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  /** The request as it is made: planned anew, since the store keeps neither keys nor headers. */
  async function planned(wanted: IngestRequest): Promise<FeedRequest | null> {
    const feed = provider.feeds.find(({ name }) => name === wanted.feed);
    if (feed === undefined) return null;
    if (plan?.feed !== wanted.feed || plan.day !== wanted.day) {
      const context = { ...(await deps.planContext('all')), today: wanted.day };
      plan = { feed: wanted.feed, day: wanted.day, requests: requestsByUrl(feed, context) };
    }
    return plan.requests.get(wanted.url) ?? null;
  }

  async function runNext(which: 'urgent' | 'any'): Promise<boolean> {
    if (deps.signal.aborted || deps.source.cooldown() !== null) return false;
    const wanted = await deps.jobs.nextRequest(provider.name, which === 'urgent');
    if (wanted === null) return false;
    const request = await planned(wanted);
    if (request === null) {
      await deps.jobs.finishRequest(wanted, 'dropped', 0);
      return true;
    }
    const asked = await fetchAndIngest(deps, request);
    // What the source's rest prevented stays open and costs no try.
    if (asked.kind === 'stopped' || asked.kind === 'resting') return false;
    if (asked.kind === 'unavailable') await deps.jobs.failRequest(wanted);
    else if (asked.kind === 'rejected' && asked.isUnusable) await deps.jobs.failRequest(wanted);
    else await deps.jobs.finishRequest(wanted, asked.kind, asked.rows);
    return true;
  }

  async function runUrgent(): Promise<void> {
    const nowMs = deps.clock.monotonicMs();
    if (nowMs - lookedAtMs < LOOK_MS) return;
    lookedAtMs = nowMs;
    while (await runNext('urgent'));
  }

  return { runNext, runUrgent };
}
