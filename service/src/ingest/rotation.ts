import type { Instant } from '../platform/instant.ts';
import type { FeedRequest } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import type { Job } from './jobs.ts';
import { storedUrl } from './planned-requests.ts';

const DAY_MS = 86_400_000;
/** Part of the period that remains for nights without requests, such as after an outage. */
const SLACK = 1 / 8;
/** Requests made within this time count towards tonight's share. */
const TONIGHT_MS = 20 * 3_600_000;

export interface Rotation {
  /** Every request is made once within this many days. */
  days: number;
  now: Instant;
  /** Time of the last response by stored URL, for at least the period. */
  respondedAt: ReadonlyMap<string, Instant>;
}

/** Returns the planned requests of a job, or tonight's share of them if the job is a rotation. */
export async function tonightsRequests(
  jobs: Pick<JobStore, 'loadResponseTimes'>,
  { provider, feed, everyDays: days }: Job,
  { requests, now }: { requests: FeedRequest[]; now: Instant },
): Promise<FeedRequest[]> {
  if (days === undefined) return requests;
  const respondedAt = await jobs.loadResponseTimes(provider, feed, now - 2 * days * DAY_MS);
  return selectRotation(requests, { days, now, respondedAt });
}

/**
 * Selects tonight's share of a rotation: requests never made, then those made the longest ago. The
 * share is even, so all requests are made before the period ends, whatever is added to the list or
 * removed from it. After an outage the share doubles until none is overdue. Requests that were
 * already made tonight reduce the share, so an interrupted run continues where it stopped.
 */
export function selectRotation(
  requests: readonly FeedRequest[],
  { days, now, respondedAt }: Rotation,
): FeedRequest[] {
  const nights = Math.max(1, Math.floor(days * (1 - SLACK)));
  const overdueAt = now - nights * DAY_MS;
  const queue = requests
    .map((request) => ({ request, at: respondedAt.get(storedUrl(request.url)) ?? null }))
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const share = Math.ceil(queue.length / nights);
  const overdue = queue.filter(({ at }) => at !== null && at < overdueAt).length;
  const madeTonight = queue.filter(({ at }) => at !== null && at > now - TONIGHT_MS).length;
  const count = Math.max(share, Math.min(overdue, 2 * share)) - madeTonight;
  return queue.slice(0, Math.max(0, count)).map(({ request }) => request);
}
