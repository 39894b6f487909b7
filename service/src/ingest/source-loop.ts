import { addDays } from '../domain/local-date.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate } from '../domain/new-york.ts';
import type { Instant } from '../platform/instant.ts';
import { patience } from '../platform/patience.ts';
import type { Random } from '../platform/random.ts';
import type { PlanContext, Provider } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import { jobsOf } from './jobs.ts';
import type { Job, Scope } from './jobs.ts';
import { plannedRequests, requestsOfDays } from './planned-requests.ts';
import { runRequests } from './run-job.ts';
import type { Outcome, RunDeps } from './run-job.ts';
import { lastDue, nextDue } from './schedule.ts';
import { createRequestServer } from './serve-requests.ts';

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
  /** A run that was cut short is not tried again before. */
  retryAt: Instant;
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
  const server = createRequestServer(deps, provider);
  const states = await loadStates(deps, provider);
  await noteMissedDays(deps, provider, states).catch((error: unknown) =>
    log.error({ err: error }, 'Missed days could not be noted.'),
  );
  let market: MarketCalendar | null = null;
  let marketAtMs = clock.monotonicMs();
  const trouble = patience({
    ...{ clock, firstMs: LOOK_MS, maxMs: TROUBLE_MS_MAX },
    say: (facts) => log.error(facts, 'A source could not be worked on; it is tried again.'),
  });
  while (!signal.aborted) {
    try {
      if (market === null || clock.monotonicMs() - marketAtMs >= MARKET_HOLDS_MS) {
        market = await deps.market();
        marketAtMs = clock.monotonicMs();
      }
      const state = mostRecentlyDue(states, clock.now(), market);
      const hasServed = await server.serve(state === null ? 'any' : 'urgent');
      trouble.well();
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
    if (outcome === 'done' || (outcome === 'nothing' && state.doneAt !== null)) {
      state.doneAt = startedAt;
      await deps.jobs.saveProgress(state.job.id, startedAt).catch((error: unknown) => {
        log.error({ err: error, job: state.job.id }, 'The note of a run could not be kept.');
      });
    } else state.retryAt = clock.now() + RETRY_MS;
  }

  async function runOnce(job: Job): Promise<Outcome> {
    const run = { ...deps, log: log.child({ job: job.id }) };
    try {
      const feed = provider.feeds.find(({ name }) => name === job.feed);
      if (feed === undefined) return 'nothing';
      const requests = plannedRequests(job, feed, await deps.planContext(job.scope));
      const outcome = await runRequests(run, requests, () => server.serveSometimes());
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
    const next = Math.min(...states.map((state) => dueNext(state, now, market)));
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
    states.push({ job, doneAt, retryAt: Number.NEGATIVE_INFINITY });
  }
  return states;
}

function mostRecentlyDue(
  states: readonly JobState[],
  now: Instant,
  market: MarketCalendar,
): JobState | null {
  let best: { state: JobState; dueAt: Instant } | null = null;
  for (const state of states) {
    const dueAt = lastDue(state.job.times, now, market);
    if ((state.doneAt !== null && state.doneAt >= dueAt) || state.retryAt > now) continue;
    if (best === null || dueAt > best.dueAt) best = { state, dueAt };
  }
  return best?.state ?? null;
}

function dueNext({ job, retryAt }: JobState, now: Instant, market: MarketCalendar): Instant {
  const dueAt = nextDue(job.times, now, market);
  return retryAt > now ? Math.min(dueAt, retryAt) : dueAt;
}

/**
 * A job that looks back some days cannot see those before them: after a longer absence, they are
 * asked for like a back-fill, newest first.
 */
async function noteMissedDays(
  deps: SourceLoopDeps,
  provider: Provider,
  states: readonly JobState[],
): Promise<void> {
  const today = newYorkDate(deps.clock.now());
  const market = await deps.market();
  for (const { job, doneAt } of states) {
    const feed = provider.feeds.find(({ name }) => name === job.feed);
    const isOfResults = job.days !== undefined && job.days.from < 0 && job.days.to <= 0;
    if (doneAt === null || feed === undefined || !isOfResults) continue;
    const last = addDays(today, (job.days?.from ?? 0) - 1);
    const missed = market.tradingDays(newYorkDate(doneAt), last).slice(-MISSED_DAYS_MAX);
    const [from, to] = [missed[0], missed.at(-1)];
    if (from === undefined || to === undefined) continue;
    const requests = requestsOfDays(feed, await deps.planContext(job.scope), from, to);
    const count = await deps.jobs.recordRequests(
      `missed ${job.id} ${today}`,
      requests
        .filter(({ day }) => missed.includes(day))
        .map((each) => ({ provider: provider.name, feed: feed.name, ...each })),
    );
    deps.log.info({ job: job.id, from, to, requests: count }, 'Missed days are made good.');
  }
}
