import { daysBetween, parseLocalDate } from '../domain/local-date.ts';
import type { LocalDate } from '../domain/local-date.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { FetchResult, PoliteSource } from '../platform/polite-source.ts';
import { makeAnswer } from '../providers/answer.ts';
import type { Answer, Feed, FeedRequest, PlanContext } from '../providers/provider.ts';
import type { Job } from './jobs.ts';

export interface RunDeps {
  clock: Clock;
  log: Log;
  source: PoliteSource;
  ingest(answer: Answer): Promise<unknown>;
  signal: AbortSignal;
}

/** `done`: asked for all; `cut-short`: the source or the store stopped us, so try again soon. */
export type Outcome = 'done' | 'cut-short' | 'stopped';

/** A rest that is longer than this is waited out by the schedule, not here. */
const REST_MS_MAX = 30 * 60_000;
const RESTS_MAX = 4;

/**
 * Asks for everything the feed plans and hands each answer on as it comes. What the source cannot
 * give is logged and left out; when it asks for rest, it gets it, and the run goes on after.
 */
export async function runJob(
  deps: RunDeps,
  job: Job,
  feed: Feed,
  context: PlanContext,
): Promise<Outcome> {
  const requests = plannedRequests(job, feed, context);
  let rests = 0;
  let failures = 0;
  for (let next = 0; next < requests.length;) {
    if (deps.signal.aborted) return 'stopped';
    const request = requests[next];
    if (request === undefined) break;
    const result = await deps.source.fetch({ ...request, signal: deps.signal });
    if (result.kind === 'answer') {
      await deps.ingest(makeAnswer(result.answer));
      next++;
      continue;
    }
    if (result.reason === 'stopped') return 'stopped';
    deps.log.warn(
      { path: new URL(request.url).pathname, reason: result.reason, retryAt: result.retryAt },
      'A source gave no answer.',
    );
    if (isRest(result)) {
      const waitMs = result.retryAt - deps.clock.now();
      rests++;
      if (rests > RESTS_MAX || waitMs > REST_MS_MAX) return 'cut-short';
      await deps.clock.sleep(Math.max(waitMs, 1), deps.signal);
      continue;
    }
    failures++;
    next++;
  }
  return failures > requests.length / 2 ? 'cut-short' : 'done';
}

/** The requests of the plan that the job wants; each URL once. */
export function plannedRequests(job: Job, feed: Feed, context: PlanContext): FeedRequest[] {
  const planned = feed.plan?.(context) ?? [];
  const seen = new Set<string>();
  return planned.filter(({ url }) => {
    if (seen.has(url) || !isWanted(job, url, context.today)) return false;
    seen.add(url);
    return true;
  });
}

function isWanted(job: Job, url: string, today: LocalDate): boolean {
  if (job.days === undefined) return true;
  const { searchParams } = new URL(url);
  const date = parseLocalDate(searchParams.get('date') ?? searchParams.get('from') ?? '');
  if (date === null) return true;
  const away = daysBetween(today, date);
  return away >= job.days.from && away <= job.days.to;
}

/** The whole source rests: the next request would fare no better. */
function isRest(result: Extract<FetchResult, { kind: 'unavailable' }>): boolean {
  return ['blocked', 'rate-limited', 'breaker-open'].includes(result.reason);
}
