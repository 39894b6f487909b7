import type { MarketCalendar } from '../domain/market/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { HttpClient } from '../platform/http-client.ts';
import type { Log } from '../platform/log.ts';
import type { Random } from '../platform/random.ts';
import type { SourceClient } from '../platform/source-client.ts';
import type { SourceResponse, PlanContext, Provider } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';
import type { Scope } from './jobs.ts';
import type { LeaseTerm } from './lease.ts';
import { pollLocal } from './poll-local.ts';
import type { ResponseReport } from './report.ts';
import type { RunDeps } from './run-requests.ts';
import { runSource } from './source-loop.ts';

type FailedRequest = Parameters<NonNullable<RunDeps['onFailure']>>[0];

export interface LiveDeps {
  providers: readonly Provider[];
  client: HttpClient;
  clock: Clock;
  random: Random;
  log: Log;
  jobs: JobStore;
  /** Takes in one answer under a term of holding the source; throws only when the store fails. */
  ingest(answer: SourceResponse, term: LeaseTerm, provider: Provider): Promise<ResponseReport>;
  /** Told of each request that brought no answer. */
  recordFailure?: (provider: string, failed: FailedRequest) => Promise<void>;
  market(): Promise<MarketCalendar>;
  /** What is known to plan by; `reporters` narrows the companies to those that report about now. */
  planContext(scope: Scope): Promise<PlanContext>;
  /** See `runSource`. */
  lookMs?: number | undefined;
  /** Works while no other process asks the source, and waits while one does. */
  withLease(
    name: string,
    signal: AbortSignal,
    events: { onWaiting?(holder: string): void; work(term: LeaseTerm): Promise<void> },
  ): Promise<void>;
}

export interface LiveFeeds {
  start(): void;
  /**
   * Resolves once every source without a network has filled the store with its present state, or is
   * found to be gathered by another process.
   */
  firstFill(): Promise<void>;
  /** Why a source is not asked now, and until when, as far as this process knows; null: it is. */
  cooldown(provider: string): ReturnType<SourceClient['cooldown']>;
  /** Stops asking and resolves when the last answer on its way has been taken in or dropped. */
  stop(): Promise<void>;
}

/**
 * Asks live sources at their times, each in a loop of its own, so that one that fails or waits
 * holds up no other. Of all processes on one store, one asks a source; the others stand by.
 */
export function createLiveFeeds(deps: LiveDeps): LiveFeeds {
  const stopping = new AbortController();
  const local = deps.providers.filter((provider) => provider.generateResponses !== undefined);
  const fills = new Map(local.map(({ name }) => [name, Promise.withResolvers<void>()]));
  const sources = new Map<string, SourceClient>();
  let loops: Promise<void>[] = [];

  function start(): void {
    if (loops.length > 0) throw new Error('the live feeds run already');
    loops = deps.providers.map(gather);
  }

  async function gather(provider: Provider): Promise<void> {
    const { name, hosts, limits } = provider;
    const log = deps.log.child({ source: name });
    const source = deps.client.source({ name, hosts, limits });
    sources.set(name, source);
    let waitsFor: string | null = null;
    await deps.withLease(name, stopping.signal, {
      onWaiting(holder) {
        fills.get(name)?.resolve();
        if (holder === waitsFor) return;
        waitsFor = holder;
        log.info({ holder }, 'Another process gathers from this source; this one stands by.');
      },
      async work(term) {
        const { signal } = term;
        if (waitsFor !== null) {
          log.info({ from: waitsFor }, 'This process gathers from this source now; it stood by.');
          // Whoever has it after us is told of, were it the same one again.
          waitsFor = null;
        }
        const run = {
          ...deps,
          source,
          signal,
          log,
          ingest: (answer: SourceResponse) => deps.ingest(answer, term, provider),
          onUnavailable: async (failed: FailedRequest) => deps.recordFailure?.(name, failed),
        };
        const filled = (): void => fills.get(name)?.resolve();
        await Promise.all([
          provider.generateResponses === undefined ? null : pollLocal(run, provider, filled),
          provider.feeds.some(({ plan }) => plan !== undefined) ? runSource(run, provider) : null,
        ]);
      },
    });
  }

  return {
    start,
    firstFill: async () => {
      await Promise.all([...fills.values()].map((fill) => fill.promise));
    },
    cooldown: (name) => sources.get(name)?.cooldown() ?? null,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
