import { addDays } from '../domain/local-date.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { Random } from '../platform/random.ts';
import type { PlanContext, Provider } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import { type Job, jobsOf, type Scope } from './jobs.ts';
import { plannedRequests, requestsForDays } from './planned-requests.ts';
import { type JobOutcome, type RunDeps, runRequests } from './run-requests.ts';
import { lastDue, nextDue } from './schedule.ts';
import { createRequestQueue } from './request-queue.ts';

export interface SourceLoopDeps extends RunDeps {
  random: Random;
  jobs: JobStore;
  market(): Promise<MarketCalendar>;
  /** What is known to plan by; `reporters` narrows the companies to those that report about now. */
  planContext(scope: Scope): Promise<PlanContext>;
  /** How long a request asked for by hand may lie unseen; ten seconds when absent. */
  lookMs?: number | undefined;
}

interface JobState {
  job: Job;
  /** When the last whole run began; null when there was none. */
  doneAt: Instant | null;
  /** A run that was cut short is not tried again before; by the clock that never steps. */
  retryAtMs: number;
}

const RETRY_MS = 15 * 60_000;
/** So that many installations do not ask at the same second. */
const JITTER_MS = 20_000;
const LOOK_MS = 10_000;
const TROUBLE_MS_MAX = 5 * 60_000;
/** How long it may go unseen that an operator has cut a session short. */
const MARKET_HOLDS_MS = 5 * 60_000;
/** After a long absence so many trading days are made good; older ones are for a back-fill. */
const MISSED_DAYS_MAX = 30;

/**
 * Asks one source for all that is due, one thing at a time: what was due last comes first, so that
 * after an absence the newest facts are there first and what was missed is made good once. In
 * between, what was asked for by hand; in idle time, back-fills. Returns when the signal aborts.
 */
export async function runSource(deps: SourceLoopDeps, provider: Provider): Promise<void> {
  const { clock, signal, log, lookMs = LOOK_MS } = deps;
  const server = createRequestQueue(deps, provider);
  const states = await loadStates(deps, provider);
  let market: MarketCalendar | null = null;
  let marketAtMs = clock.monotonicMs();
  const trouble = createBackoff({
    clock,
    minMs: LOOK_MS,
    maxMs: TROUBLE_MS_MAX,
    log: (facts) => log.error(facts, 'A source could not be worked on; it is tried again.'),
  });
  while (!signal.aborted) {
    try {
      if (market === null || clock.monotonicMs() - marketAtMs >= MARKET_HOLDS_MS) {
        market = await deps.market();
        marketAtMs = clock.monotonicMs();
      }
      const state = mostRecentlyDue(states, clock, market);
      const hasServed = await server.runNext(state === null ? 'any' : 'urgent');
      trouble.succeeded();
      if (hasServed) continue;
      if (state === null) await rest(market);
      else await runState(state);
    } catch (error) {
      await clock.sleep(trouble.failed(error), signal);
    }
  }

  async function runState(state: JobState): Promise<void> {
    const startedAt = clock.now();
    const outcome = await runOnce(state.job);
    const isDone = outcome === 'done' || (outcome === 'nothing' && state.doneAt !== null);
    if (isDone && (await hasNotedMissedDays(state))) {
      state.doneAt = startedAt;
      await deps.jobs.saveProgress(state.job.id, startedAt).catch((error: unknown) => {
        log.error({ err: error, job: state.job.id }, 'The note of a run could not be kept.');
      });
    } else state.retryAtMs = clock.monotonicMs() + RETRY_MS;
  }

  /** Before the run counts as done: that it was long in coming would be forgotten with it. */
  async function hasNotedMissedDays(state: JobState): Promise<boolean> {
    try {
      await noteMissedDays(deps, provider, state);
      return true;
    } catch (error) {
      log.error({ err: error, job: state.job.id }, 'Missed days could not be noted.');
      return false;
    }
  }

  async function runOnce(job: Job): Promise<JobOutcome> {
    const run = { ...deps, log: log.child({ job: job.id }) };
    try {
      const feed = provider.feeds.find(({ name }) => name === job.feed);
      if (feed === undefined) return 'nothing';
      const requests = plannedRequests(job, feed, await deps.planContext(job.scope));
      const outcome = await runRequests(run, requests, () => server.runUrgent());
      run.log.debug({ outcome }, 'A job has run.');
      return outcome;
    } catch (error) {
      if (signal.aborted) return 'stopped';
      run.log.error({ err: error }, 'A job failed; it is tried again later.');
      return 'cut-short';
    }
  }

  /** Until the next thing is due, looking up now and then. */
  async function rest(market: MarketCalendar): Promise<void> {
    const now = clock.now();
    const next = Math.min(...states.map((state) => dueNext(state, clock, market)));
    const waitMs = next - now;
    if (waitMs > lookMs) await clock.sleep(lookMs, signal);
    else await clock.sleep(Math.max(1, waitMs) + deps.random.int(JITTER_MS), signal);
  }
}

async function loadStates(deps: SourceLoopDeps, provider: Provider): Promise<JobState[]> {
  const states: JobState[] = [];
  for (const job of jobsOf([provider])) {
    const doneAt = await deps.jobs.loadProgress(job.id).catch((error: unknown) => {
      // When it last ran is not known: run it.
      deps.log.error({ err: error, job: job.id }, 'The note of the last run could not be read.');
      return null;
    });
    states.push({ job, doneAt, retryAtMs: Number.NEGATIVE_INFINITY });
  }
  return states;
}

function mostRecentlyDue(
  states: readonly JobState[],
  clock: Clock,
  market: MarketCalendar,
): JobState | null {
  const now = clock.now();
  let best: { state: JobState; dueAt: Instant } | null = null;
  for (const state of states) {
    const { job, doneAt, retryAtMs } = state;
    const dueAt = lastDue(job.times, now, market);
    // A run that is yet to come was noted by a clock that was ahead and is not any more.
    const isDone = doneAt !== null && doneAt >= dueAt && doneAt <= now;
    if (isDone || retryAtMs > clock.monotonicMs()) continue;
    if (best === null || dueAt > best.dueAt) best = { state, dueAt };
  }
  return best?.state ?? null;
}

function dueNext({ job, retryAtMs }: JobState, clock: Clock, market: MarketCalendar): Instant {
  const dueAt = nextDue(job.times, clock.now(), market);
  const leftMs = retryAtMs - clock.monotonicMs();
  return leftMs > 0 ? Math.min(dueAt, clock.now() + leftMs) : dueAt;
}

/**
 * A job that looks back some days cannot see those before them: after a longer absence, of ours or of
 * the source, they are asked for like a back-fill, newest first.
 */
async function noteMissedDays(
  deps: SourceLoopDeps,
  provider: Provider,
  { job, doneAt }: JobState,
): Promise<void> {
  const feed = provider.feeds.find(({ name }) => name === job.feed);
  const isOfResults = job.days !== undefined && job.days.from < 0 && job.days.to <= 0;
  if (doneAt === null || feed === undefined || !isOfResults) return;
  const today = newYorkDate(deps.clock.now());
  const last = addDays(today, (job.days?.from ?? 0) - 1);
  const market = await deps.market();
  const missed = market.tradingDays(newYorkDate(doneAt), last).slice(-MISSED_DAYS_MAX);
  const [from, to] = [missed[0], missed.at(-1)];
  if (from === undefined || to === undefined) return;
  const requests = requestsForDays(feed, await deps.planContext(job.scope), from, to);
  const count = await deps.jobs.recordRequests(
    `missed ${job.id} ${today}`,
    requests
      .filter(({ day }) => missed.includes(day))
      .map((each) => ({ provider: provider.name, feed: feed.name, ...each })),
  );
  deps.log.info({ job: job.id, from, to, requests: count }, 'Missed days are made good.');
}
