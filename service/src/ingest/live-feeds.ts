import type { MarketCalendar } from '../domain/market/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { HttpClient } from '../platform/http-client.ts';
import type { Log } from '../platform/log.ts';
import type { LoopHealth, LoopReporter } from '../platform/loop-health.ts';
import type { Random } from '../platform/random.ts';
import type { SourceClient, SourceLimits, SourceOptions } from '../platform/source-client.ts';
import type { Cooldown } from '../platform/source-cooldown.ts';
import type { PlanContext, Provider, Scope, SourceResponse } from '../providers/provider.ts';
import type { Db } from '../storage/db.ts';
import type { FilingLedger } from './filings/filing-ledger.ts';
import { type FilingsFollowing, type FollowDeps, followFilings } from './filings/follow-filings.ts';
import type { ResponseOptions } from './ingest.ts';
import type { JobStore } from './job-store.ts';
import type { LeaseEvents, LeaseTerm } from './lease.ts';
import { pollLocal } from './poll-local.ts';
import type { ResponseReport } from './report.ts';
import type { FailedRequest, RunDeps } from './run-requests.ts';
import { runSource } from './source-loop.ts';
import { fetchWatched, type WatchedFetch } from './watched/fetch-watched.ts';
import type { OnWatchProgress } from './watched/watch-progress.ts';
import type { WatchedStore } from './watched/watched-store.ts';

export interface LiveDeps {
  providers: readonly Provider[];
  client: HttpClient;
  clock: Clock;
  random: Random;
  log: Log;
  /** Receives the outcomes of the loops. */
  loops?: LoopHealth | undefined;
  jobs: JobStore;
  /** Ingests one response while this process has the lease. Throws only if the store fails. */
  ingest(
    response: SourceResponse,
    term: LeaseTerm,
    provider: Provider,
    options?: Pick<ResponseOptions, 'knownFrom'>,
  ): Promise<ResponseReport>;
  /** Called after each request that got no response. */
  recordFailure?: (provider: string, failed: FailedRequest) => Promise<void>;
  /** Returns where a source's cooldowns and used budget are kept across restarts. */
  sourceMemory?(provider: string, term: LeaseTerm): SourceOptions['memory'];
  market(): Promise<MarketCalendar>;
  /**
   * Loads the information needed to plan requests. The scope `reporters` covers companies that
   * report now.
   */
  planContext(scope: Scope): Promise<PlanContext>;
  /** Returns the value of a source's setting. */
  setting(name: string): string | undefined;
  /** Returns the filings in the store, for sources that are followed. Without it, none is followed. */
  filingLedger?(db: Db): FilingLedger;
  /** Companies that are fetched first, from sources with pages about single companies. */
  watched?: {
    symbols: readonly string[];
    onProgress: OnWatchProgress;
    storeOf(db: Db): WatchedStore;
  };
  /** True if sources with a network start once those without one have filled the store. */
  isLocalFirst?: boolean;
  /** See `runSource`. */
  pollMs?: number | undefined;
  /**
   * Runs `events.work` while this process has the named lease, and waits while another process has
   * it.
   */
  withLease(name: string, signal: AbortSignal, events: LeaseEvents): Promise<void>;
}

export interface LiveFeeds {
  start(): void;
  /**
   * Resolves once each source without a network has filled the store with its current state or is
   * being ingested by another process.
   */
  firstFill(): Promise<void>;
  /**
   * Returns the reason and end of a source's cooldown, during which this process sends no requests
   * to it, or to one of its hosts. Returns null if the source is not cooling down.
   */
  cooldown(provider: string): Cooldown | null;
  /** Stops sending requests. Resolves when the last response has been ingested or discarded. */
  stop(): Promise<void>;
}

/**
 * Ingests live sources on schedule. Each source has its own loop, so that a failing source does not
 * delay the other sources. Only one process on a store ingests from a source; the other processes
 * are on standby.
 */
export function createLiveFeeds(deps: LiveDeps): LiveFeeds {
  return new LeasedFeeds(deps);
}

class LeasedFeeds implements LiveFeeds {
  readonly #deps: LiveDeps;
  readonly #end = new AbortController();
  readonly #fills: ReadonlyMap<string, PromiseWithResolvers<void>>;
  readonly #clients = new Map<string, SourceClient>();
  #loops: Promise<void>[] = [];

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    const local = deps.providers.filter(isLocal);
    this.#fills = new Map(local.map(({ name }) => [name, Promise.withResolvers<void>()]));
  }

  start(): void {
    if (this.#loops.length > 0) throw new Error('the live feeds are already running');
    this.#loops = this.#deps.providers.map((provider) => this.#ingestFrom(provider));
  }

  async firstFill(): Promise<void> {
    await Promise.all([...this.#fills.values()].map(({ promise }) => promise));
  }

  cooldown(provider: string): Cooldown | null {
    const client = this.#clients.get(provider);
    const ofHosts = [...(client?.hostCooldowns?.().values() ?? [])];
    const [last] = ofHosts.toSorted((a, b) => b.retryAt - a.retryAt);
    return client?.cooldown() ?? last ?? null;
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#loops);
  }

  async #ingestFrom(provider: Provider): Promise<void> {
    const { name, hosts } = provider;
    if (this.#deps.isLocalFirst === true && !isLocal(provider)) {
      await Promise.race([this.firstFill(), aborted(this.#end.signal)]);
    }
    const limits = limitsOf(provider, this.#deps);
    const log = this.#deps.log.child({ source: name });
    const health = addLoops(this.#deps.loops, provider);
    let activeHolder: string | null = null;
    await this.#deps.withLease(name, this.#end.signal, {
      health: health.lease,
      onWaiting: (holder) => {
        this.#fills.get(name)?.resolve();
        if (holder === activeHolder) return;
        activeHolder = holder;
        log.info({ event: 'ingest.standby', holder }, 'another process ingests, on standby');
      },
      work: async (term) => {
        if (activeHolder !== null) {
          log.info({ event: 'ingest.started', previous: activeHolder }, 'ingestion taken over');
          // The next holder is logged again, even if it is the same process.
          activeHolder = null;
        }
        // Another process may have used the source since the last term, so its limits are loaded.
        const memory = this.#deps.sourceMemory?.(name, term);
        const source = this.#deps.client.source({ name, hosts, limits, memory });
        this.#clients.set(name, source);
        await this.#ingestDuring(term, { provider, source, log, health });
        // On standby there is nothing to do, so nothing fails.
        for (const reporter of Object.values(health)) reporter?.succeeded();
      },
    });
  }

  async #ingestDuring(
    term: LeaseTerm,
    {
      provider,
      source,
      log,
      health,
    }: { provider: Provider; source: SourceClient; log: Log; health: SourceLoops },
  ): Promise<void> {
    const deps = this.#deps;
    const { name } = provider;
    const run = {
      ...deps,
      source,
      signal: term.signal,
      log,
      ingest: (response: SourceResponse, options?: Pick<ResponseOptions, 'knownFrom'>) =>
        deps.ingest(response, term, provider, options),
      onFailure: async (failed: FailedRequest) => deps.recordFailure?.(name, failed),
    };
    const following = this.#following(term, provider, { ...run, health: health.following });
    const scheduled = following === null ? run : { ...run, source: following.inBackground(source) };
    const watched = this.#fetchWatched(term, provider, run);
    await watched?.headStart;
    await Promise.all([
      watched?.done,
      following?.run(),
      isLocal(provider)
        ? pollLocal({ ...run, health: health.local }, provider, () =>
            this.#fills.get(name)?.resolve(),
          )
        : null,
      hasPlannedFeeds(provider)
        ? runSource({ ...scheduled, health: health.scheduled }, provider)
        : null,
    ]);
  }

  #fetchWatched({ db }: LeaseTerm, provider: Provider, run: RunDeps): WatchedFetch | null {
    const { watched, filingLedger, jobs, planContext, setting } = this.#deps;
    const { companyFeeds } = provider;
    if (watched === undefined || companyFeeds === undefined || filingLedger === undefined) {
      return null;
    }
    const { symbols, onProgress } = watched;
    const ledger = filingLedger(db);
    const store = watched.storeOf(db);
    const plan = { jobs, planContext, setting, ledger, store };
    return fetchWatched({ ...run, ...plan, provider, companyFeeds, symbols, onProgress });
  }

  #following(
    { db }: LeaseTerm,
    { name, follower }: Provider,
    run: Omit<FollowDeps, 'name' | 'follower' | 'settings' | 'ledger'>,
  ): FilingsFollowing | null {
    const { filingLedger, setting } = this.#deps;
    if (follower === undefined || filingLedger === undefined) return null;
    const ledger = filingLedger(db);
    return followFilings({ ...run, name, follower, settings: { setting }, ledger });
  }
}

type SourceLoops = Record<'lease' | 'local' | 'scheduled' | 'following', LoopReporter | undefined>;

/** Adds the loops that a source has. */
function addLoops(loops: LoopHealth | undefined, provider: Provider): SourceLoops {
  const add = (name: string, isUsed: boolean): LoopReporter | undefined =>
    isUsed ? loops?.add(`${name} ${provider.name}`, 'retried') : undefined;
  return {
    lease: add('lease of', true),
    local: add('poll', isLocal(provider)),
    scheduled: add('fetch', hasPlannedFeeds(provider)),
    following: add('follow', provider.follower !== undefined),
  };
}

function hasPlannedFeeds({ feeds }: Provider): boolean {
  return feeds.some(({ plan }) => plan !== undefined);
}

/** Returns the limits of a source, with those that the operator chose. */
export function limitsOf(
  { limits, limitsOf: chosen }: Provider,
  { setting }: Pick<LiveDeps, 'setting'>,
): SourceLimits {
  return chosen?.(setting) ?? limits;
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}

function isLocal({ generateResponses }: Provider): boolean {
  return generateResponses !== undefined;
}
