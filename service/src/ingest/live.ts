import type { Clock } from '../platform/clock.ts';
import type { HttpClient } from '../platform/http-client.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import type { Random } from '../platform/random.ts';
import type { Answer, Feed, PlanContext, Provider } from '../providers/provider.ts';
import { jobsOf } from './jobs.ts';
import type { Job, Scope } from './jobs.ts';
import { runJob } from './run-job.ts';
import type { Outcome, RunDeps } from './run-job.ts';
import { lastDue, nextDue } from './schedule.ts';

export interface LiveDeps {
  providers: readonly Provider[];
  client: HttpClient;
  clock: Clock;
  random: Random;
  log: Log;
  /** Takes in one answer; throws only when the store fails. */
  ingest(answer: Answer): Promise<unknown>;
  /** What is known to plan by; `reporters` narrows the companies to those that report about now. */
  planContext(scope: Scope): Promise<PlanContext>;
  progress: Progress;
}

/** Remembers across restarts up to when each job has run. */
export interface Progress {
  load(id: string): Promise<Instant | null>;
  save(id: string, at: Instant): Promise<void>;
}

export interface LiveFeeds {
  start(): void;
  /** Resolves once every source without a network has filled the store with its present state. */
  firstFill(): Promise<void>;
  /** Stops asking and resolves when the last answer on its way has been taken in or dropped. */
  stop(): Promise<void>;
}

const LOCAL_POLL_MS = 30_000;
/** A store that was up to date so lately need not catch up before it serves again. */
const PRESENT_HOLDS_MS = 24 * 3_600_000;
const RETRY_MS = 15 * 60_000;
const JITTER_MS = 20_000;

/**
 * Asks live sources at their times. Every job has a loop of its own, so that one that fails or
 * waits holds up no other; jobs of one feed take turns. A run that was missed while the service
 * was off is made good once, at the start.
 */
export function createLiveFeeds(deps: LiveDeps): LiveFeeds {
  const { clock, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = new Map<string, Promise<unknown>>();
  const local = deps.providers.filter((provider) => provider.answers !== undefined);
  const fills = local.map(() => Promise.withResolvers<void>());
  let loops: Promise<void>[] = [];

  function start(): void {
    if (loops.length > 0) throw new Error('the live feeds run already');
    loops = [
      ...deps.providers.flatMap(startJobs),
      ...local.map((provider, i) => pollLocal(deps, provider, signal, () => fills[i]?.resolve())),
    ];
  }

  function startJobs(provider: Provider): Promise<void>[] {
    const jobs = jobsOf([provider]);
    if (jobs.length === 0) return [];
    const { name, hosts, pace } = provider;
    const source = deps.client.source({ name, hosts, pace });
    return jobs.flatMap((job) => {
      const feed = provider.feeds.find((each) => each.name === job.feed);
      const run = { clock, source, ingest: deps.ingest, signal, log: log.child({ job: job.id }) };
      return feed === undefined ? [] : [loop(run, job, feed)];
    });
  }

  async function loop(run: RunDeps, job: Job, feed: Feed): Promise<void> {
    let dueAt = await firstDue(run, job);
    while (!signal.aborted) {
      const jitterMs = deps.random.int(JITTER_MS);
      await clock.sleep(Math.max(0, dueAt - clock.now()) + jitterMs, signal);
      if (signal.aborted) return;
      const startedAt = clock.now();
      const outcome = await inTurn(`${job.provider}/${job.feed}`, () => runOnce(run, job, feed));
      if (outcome === 'stopped') return;
      dueAt = nextDue(job.times, startedAt);
      if (outcome === 'done') await saveProgress(run, job.id, startedAt);
      else dueAt = Math.min(dueAt, clock.now() + RETRY_MS);
    }
  }

  async function firstDue(run: RunDeps, job: Job): Promise<Instant> {
    const now = clock.now();
    const last = await deps.progress.load(job.id).catch(failLoading(run.log));
    return last !== null && last >= lastDue(job.times, now) ? nextDue(job.times, now) : now;
  }

  /** Two jobs that read one feed would ask for the same things side by side. */
  function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (turns.get(key) ?? Promise.resolve()).then(work);
    turns.set(
      key,
      mine.catch(() => undefined),
    );
    return mine;
  }

  async function runOnce(run: RunDeps, job: Job, feed: Feed): Promise<Outcome> {
    try {
      const outcome = await runJob(run, job, feed, await deps.planContext(job.scope));
      run.log.debug({ outcome }, 'A job has run.');
      return outcome;
    } catch (error) {
      run.log.error({ err: error }, 'A job failed; it is tried again later.');
      return 'cut-short';
    }
  }

  async function saveProgress(run: RunDeps, id: string, at: Instant): Promise<void> {
    await deps.progress.save(id, at).catch((error: unknown) => {
      run.log.error({ err: error }, 'The note of a run could not be kept.');
    });
  }

  return {
    start,
    firstFill: async () => {
      await Promise.all(fills.map((fill) => fill.promise));
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** A source without a network: asked every half minute for what changed since the last time. */
async function pollLocal(
  deps: LiveDeps,
  provider: Provider,
  signal: AbortSignal,
  filled: () => void,
): Promise<void> {
  const id = `${provider.name}/answers`;
  const presentId = `${provider.name}/present`;
  const log = deps.log.child({ job: id });
  let isLoaded = false;
  let from: Instant | null = null;
  while (!signal.aborted) {
    try {
      const to = deps.clock.now();
      if (!isLoaded) {
        from = await deps.progress.load(id);
        const presentAt = from ?? (await deps.progress.load(presentId));
        if (presentAt !== null && to - presentAt < PRESENT_HOLDS_MS) filled();
      }
      isLoaded = true;
      if (from === null || to > from) {
        let isPresent = false;
        let isNoted = false;
        for (const answer of provider.answers?.(from, to) ?? []) {
          if (signal.aborted) return;
          // Older answers after the newest: the present is in the store, the past follows.
          if (isPresent && !isNoted && answer.observedAt < to) {
            isNoted = true;
            await deps.progress.save(presentId, to);
            filled();
          }
          await deps.ingest(answer);
          isPresent ||= answer.observedAt === to;
        }
        await deps.progress.save(id, to);
        from = to;
      }
      filled();
    } catch (error) {
      log.error({ err: error }, 'A simulated source could not be taken in; it is tried again.');
    }
    await deps.clock.sleep(LOCAL_POLL_MS, signal);
  }
}

/** When it last ran is not known: run it. */
function failLoading(log: Log): (error: unknown) => null {
  return (error) => {
    log.error({ err: error }, 'The note of the last run could not be read.');
    return null;
  };
}

/** Progress kept in memory only: every job runs at each start. */
export function memoryProgress(): Progress {
  const notes = new Map<string, Instant>();
  return {
    load: (id) => Promise.resolve(notes.get(id) ?? null),
    save: (id, at) => {
      notes.set(id, at);
      return Promise.resolve();
    },
  };
}
