import { addDays } from '../domain/local-date.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import { type Backoff, createBackoff } from '../platform/backoff.ts';
import type { LoopReporter } from '../platform/loop-health.ts';
import type { Random } from '../platform/random.ts';
import type {
  Feed,
  FeedRequest,
  PlanContext,
  Priority,
  Provider,
  Scope,
} from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import { type Job, jobsOf } from './jobs.ts';
import { plannedRequests, requestsForDays } from './planned-requests.ts';
import { BUDGET_USE, comparePriority } from './priority.ts';
import { createRequestQueue, type RequestQueue } from './request-queue.ts';
import { tonightsRequests } from './rotation.ts';
import { type JobOutcome, type RunDeps, runRequests } from './run-requests.ts';
import { lastDue, nextDue } from '../domain/market/due-times.ts';

export interface SourceLoopDeps extends RunDeps {
  random: Random;
  /** Receives the outcome of every step. A source that fails is none of them. */
  health?: LoopReporter | undefined;
  jobs: JobStore;
  market(): Promise<MarketCalendar>;
  /**
   * Loads the information needed to plan requests. The scope `reporters` covers companies that
   * report now.
   */
  planContext(scope: Scope): Promise<PlanContext>;
  /** Interval at which queued requests are polled while idle. The default is 10 seconds. */
  pollMs?: number | undefined;
}

interface JobState {
  job: Job;
  /** Start of the last complete run; null if there was none. */
  doneAt: Instant | null;
  /** Earliest retry of a run that was cut short, on the monotonic clock. */
  retryAtMs: number;
  /** Requests made by runs that were cut short, with the time at which they were due. */
  made: { dueAt: Instant | null; urls: Set<string> };
  /** Number of runs in a row that got only unusable responses. */
  unusableRuns: number;
}

const RETRY_MS = 15 * 60_000;
/** Several sources allow only a few requests a day, so the delay before a retry doubles up to this. */
const RETRY_MS_MAX = 4 * 3_600_000;
/** Random delay that keeps many installations from sending requests in the same second. */
const JITTER_MS = 20_000;
const POLL_MS = 10_000;
const BACKOFF_MS_MAX = 5 * 60_000;
/** Maximum delay before an early close entered by an operator takes effect. */
const MARKET_REFRESH_MS = 5 * 60_000;
/** Number of trading days fetched after a long outage; older days need a backfill. */
const MISSED_DAYS_MAX = 30;

/**
 * Runs all of one source's scheduled jobs, one request at a time. The job with the highest priority
 * runs first. Of several, the most recently due one does, so that the newest data arrives first after
 * an outage, and missed runs are made up for only once. A job pauses while a job with a higher
 * priority is due, while an operator's requests are waiting, and while its part of the source's
 * budget is used up. Backfills run in idle time. Returns when the signal aborts.
 */
export function runSource(deps: SourceLoopDeps, provider: Provider): Promise<void> {
  return new SourceLoop(deps, provider).run();
}

class SourceLoop {
  readonly #deps: SourceLoopDeps;
  readonly #provider: Provider;
  readonly #queue: RequestQueue;
  readonly #backoff: Backoff;
  #states: readonly JobState[] = [];
  #market: MarketCalendar | null = null;
  #marketLoadedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SourceLoopDeps, provider: Provider) {
    this.#deps = deps;
    this.#provider = provider;
    this.#queue = createRequestQueue(deps, provider);
    this.#backoff = createBackoff({
      clock: deps.clock,
      minMs: POLL_MS,
      maxMs: BACKOFF_MS_MAX,
      health: deps.health,
      log: (fields) =>
        deps.log.error({ ...fields, event: 'ingest.loop_failed' }, 'source loop failed, retrying'),
    });
  }

  async run(): Promise<void> {
    const { clock, signal } = this.#deps;
    this.#states = await loadStates(this.#deps, this.#provider);
    while (!signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        await clock.sleep(this.#backoff.failed(error), signal);
      }
    }
  }

  async #step(): Promise<void> {
    const market = await this.#currentMarket();
    const state = nextJob(this.#states, this.#deps.clock, market);
    const isIdle = state === null && this.#budgetWaitMs('spare') <= 0;
    const hasRun = await this.#queue.runNext(isIdle ? 'any' : 'urgent');
    this.#backoff.succeeded();
    if (hasRun) return;
    if (state === null) await this.#idle(market);
    else await this.#runJob(state);
  }

  async #currentMarket(): Promise<MarketCalendar> {
    const nowMs = this.#deps.clock.monotonicMs();
    if (this.#market === null || nowMs - this.#marketLoadedAtMs >= MARKET_REFRESH_MS) {
      this.#market = await this.#deps.market();
      this.#marketLoadedAtMs = this.#deps.clock.monotonicMs();
    }
    return this.#market;
  }

  async #runJob(state: JobState): Promise<void> {
    const { clock, jobs, log } = this.#deps;
    const job = state.job.id;
    const startedAt = clock.now();
    const outcome = await this.#runOnce(state);
    const isDone = outcome === 'done' || (outcome === 'nothing' && state.doneAt !== null);
    if (isDone && (await this.#queueMissedDays(state))) {
      state.doneAt = startedAt;
      state.made.urls.clear();
      state.unusableRuns = 0;
      await jobs.saveProgress(job, startedAt).catch((error: unknown) => {
        log.error({ event: 'ingest.job_failed', err: error, job }, 'job progress not saved');
      });
    } else {
      const delayMs = Math.min(RETRY_MS * 2 ** state.unusableRuns, RETRY_MS_MAX);
      state.retryAtMs = clock.monotonicMs() + delayMs;
      if (outcome === 'unusable') state.unusableRuns++;
    }
  }

  async #runOnce(state: JobState): Promise<JobOutcome> {
    const { job, made } = state;
    const { log, signal } = this.#deps;
    const run = {
      ...this.#deps,
      log: log.child({ job: job.id }),
      onMade: ({ url }: FeedRequest) => void made.urls.add(url),
    };
    try {
      const dueAt = lastDue(job.times, this.#deps.clock.now(), await this.#currentMarket());
      if (made.dueAt !== dueAt) {
        made.urls.clear();
        state.unusableRuns = 0;
      }
      made.dueAt = dueAt;
      const requests = (await this.#plan(job)).filter(({ url }) => !made.urls.has(url));
      if (requests.length === 0 && made.urls.size > 0) return 'done';
      const outcome = await runRequests(run, requests, () => this.#yieldTo(job.priority));
      run.log.debug({ event: 'ingest.job_finished', outcome }, 'job finished');
      return outcome;
    } catch (error) {
      if (signal.aborted) return 'stopped';
      run.log.error({ event: 'ingest.job_failed', err: error }, 'job failed, retrying later');
      return 'cut-short';
    }
  }

  async #plan(job: Job): Promise<FeedRequest[]> {
    const { jobs, planContext } = this.#deps;
    const feed = feedOf(this.#provider, job);
    if (feed === undefined) return [];
    const context = await planContext(job.scope);
    const requests = plannedRequests(job, feed, context);
    return tonightsRequests(jobs, job, { requests, now: this.#deps.clock.now() });
  }

  /** Lets more urgent work go first, and waits for this priority's part of the budget. */
  async #yieldTo(priority: Priority): Promise<void> {
    const { clock, signal, pollMs = POLL_MS } = this.#deps;
    const moreUrgent = this.#states.filter(
      ({ job }) => comparePriority(job.priority, priority) < 0,
    );
    while (!signal.aborted) {
      await this.#queue.runUrgent();
      const state = nextJob(moreUrgent, clock, await this.#currentMarket());
      const waitMs = this.#budgetWaitMs(priority);
      if (state !== null) await this.#runJob(state);
      else if (waitMs > 0) await clock.sleep(Math.min(waitMs, pollMs), signal);
      else return;
    }
  }

  #budgetWaitMs(priority: Priority): number {
    return this.#deps.source.budgetWaitMs?.(BUDGET_USE[priority]) ?? 0;
  }

  /**
   * Queues the missed days before the job is recorded as done, because they are determined from its
   * last recorded run.
   */
  async #queueMissedDays(state: JobState): Promise<boolean> {
    const job = state.job.id;
    try {
      await queueMissedDays(this.#deps, this.#provider, state);
      return true;
    } catch (error) {
      this.#deps.log.error(
        { event: 'ingest.job_failed', err: error, job },
        'missed days not queued',
      );
      return false;
    }
  }

  /** Waits until the next job is due, but no longer than one poll interval. */
  async #idle(market: MarketCalendar): Promise<void> {
    const { clock, random, signal, pollMs = POLL_MS } = this.#deps;
    const dueAt = Math.min(...this.#states.map((state) => dueNext(state, clock, market)));
    const waitMs = dueAt - clock.now();
    if (waitMs > pollMs) await clock.sleep(pollMs, signal);
    else await clock.sleep(Math.max(1, waitMs) + random.int(JITTER_MS), signal);
  }
}

async function loadStates(deps: SourceLoopDeps, provider: Provider): Promise<JobState[]> {
  const states: JobState[] = [];
  for (const job of jobsOf([provider])) {
    const doneAt = await deps.jobs.loadProgress(job.id).catch((error: unknown) => {
      deps.log.error(
        { event: 'ingest.job_failed', err: error, job: job.id },
        'job progress not loaded, running the job now',
      );
      return null;
    });
    const made = { dueAt: null, urls: new Set<string>() };
    states.push({ job, doneAt, retryAtMs: Number.NEGATIVE_INFINITY, made, unusableRuns: 0 });
  }
  return states;
}

/** Returns the due job that goes first, or null if none is due. */
function nextJob(
  states: readonly JobState[],
  clock: Clock,
  market: MarketCalendar,
): JobState | null {
  const now = clock.now();
  let best: { state: JobState; dueAt: Instant } | null = null;
  for (const state of states) {
    const { job, doneAt, retryAtMs, made } = state;
    const dueAt = lastDue(job.times, now, market);
    // A run in the future was recorded while the clock was ahead, so it is ignored.
    const isDone = doneAt !== null && doneAt >= dueAt && doneAt <= now;
    const isWaiting = made.dueAt === dueAt && retryAtMs > clock.monotonicMs();
    if (isDone || isWaiting) continue;
    const order =
      best === null
        ? -1
        : comparePriority(job.priority, best.state.job.priority) || best.dueAt - dueAt;
    if (order < 0) best = { state, dueAt };
  }
  return best?.state ?? null;
}

function dueNext({ job, retryAtMs }: JobState, clock: Clock, market: MarketCalendar): Instant {
  const dueAt = nextDue(job.times, clock.now(), market);
  const delayMs = retryAtMs - clock.monotonicMs();
  return delayMs > 0 ? Math.min(dueAt, clock.now() + delayMs) : dueAt;
}

function feedOf(provider: Provider, job: Job): Feed | undefined {
  return provider.feeds.find(({ name }) => name === job.feed);
}

/**
 * Queues requests for trading days, newest first, that the job's own date range no longer covers
 * after an outage of this service or the source.
 */
async function queueMissedDays(
  deps: SourceLoopDeps,
  provider: Provider,
  { job, doneAt }: JobState,
): Promise<void> {
  const feed = feedOf(provider, job);
  const coversPast = job.days !== undefined && job.days.from < 0 && job.days.to <= 0;
  if (doneAt === null || feed === undefined || !coversPast) return;
  const today = newYorkDate(deps.clock.now());
  const last = addDays(today, (job.days?.from ?? 0) - 1);
  const market = await deps.market();
  const missedDays = market.tradingDays(newYorkDate(doneAt), last).slice(-MISSED_DAYS_MAX);
  const [from, to] = [missedDays[0], missedDays.at(-1)];
  if (from === undefined || to === undefined) return;
  const requests = requestsForDays(feed, await deps.planContext(job.scope), from, to);
  const count = await deps.jobs.recordRequests(
    `missed ${job.id} ${today}`,
    requests
      .filter(({ day }) => missedDays.includes(day))
      .map((request) => ({ provider: provider.name, feed: feed.name, ...request })),
  );
  const fields = { job: job.id, from, to, requests: count };
  deps.log.info({ event: 'ingest.backfilled', ...fields }, 'backfill of missed days queued');
}
