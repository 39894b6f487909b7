import type { BatchProgress } from '../datasets/jobs/request-store.ts';
import type { Instant } from '../platform/instant.ts';
import type { Cooldown } from '../platform/source-cooldown.ts';
import type { SourceResponse, Provider } from '../providers/provider.ts';
import type { LeaseTerm } from './lease.ts';
import { type LiveDeps, limitsOf } from './live-feeds.ts';
import { createRequestQueue } from './request-queue.ts';

export interface BatchEvents {
  onProgress(progress: BatchProgress): void;
  /** Called when a source is cooling down and gets no requests until `until`. */
  onCooldown(provider: string, reason: string, until: Instant): void;
  /** Called when another process ingests from the source and makes the requests. */
  onStandby(provider: string, holder: string): void;
}

const POLL_MS = 1000;
/** Longest cooldown that a batch waits for. */
const COOLDOWN_MS_MAX = 30 * 60_000;
/**
 * Number of consecutive cooldowns without a response after which the batch gives up on a source.
 */
const COOLDOWNS_MAX = 3;
/** Time without progress after which the batch stops waiting for another process. */
const STALL_MS = 20 * 60_000;
/** Like `COOLDOWNS_MAX`, but for a source that fails instead of asking for a pause. */
const FAILURES_MAX = 1;

/**
 * Makes the requests in a batch, or waits while the process that ingests from the source makes
 * them. Returns the final progress, with open requests if a source needs a long cooldown or the
 * signal aborts. Open requests stay in the store, and the next batch or service start continues
 * with them.
 */
export function runBatch(
  deps: LiveDeps,
  providers: readonly Provider[],
  load: () => Promise<BatchProgress>,
  events: BatchEvents,
  signal: AbortSignal,
): Promise<BatchProgress> {
  return new BatchRun(deps, load, events).run(providers, signal);
}

class BatchRun {
  readonly #deps: LiveDeps;
  readonly #load: () => Promise<BatchProgress>;
  readonly #events: BatchEvents;
  readonly #end = new AbortController();
  /** Providers that need a long cooldown. */
  readonly #exhausted = new Set<string>();
  /** Providers from which another process ingests. */
  readonly #onStandby = new Set<string>();

  constructor(deps: LiveDeps, load: () => Promise<BatchProgress>, events: BatchEvents) {
    this.#deps = deps;
    this.#load = load;
    this.#events = events;
  }

  async run(providers: readonly Provider[], signal: AbortSignal): Promise<BatchProgress> {
    const stop = (): void => this.#end.abort();
    signal.addEventListener('abort', stop);
    const work = Promise.all(providers.map((provider) => this.#ingestFrom(provider)));
    await this.#waitUntilDone(providers.length);
    stop();
    await work;
    signal.removeEventListener('abort', stop);
    const progress = await this.#load();
    this.#events.onProgress(progress);
    return progress;
  }

  async #waitUntilDone(providerCount: number): Promise<void> {
    const { clock } = this.#deps;
    let progressedAtMs = clock.monotonicMs();
    let progress = await this.#load();
    while (
      progress.open > 0 &&
      !this.#end.signal.aborted &&
      this.#exhausted.size < providerCount &&
      clock.monotonicMs() - progressedAtMs <= STALL_MS
    ) {
      this.#events.onProgress(progress);
      await clock.sleep(POLL_MS, this.#end.signal);
      const openBefore = progress.open;
      progress = await this.#load();
      const hasProgressed = progress.open !== openBefore || this.#onStandby.size === 0;
      if (hasProgressed) progressedAtMs = clock.monotonicMs();
    }
  }

  async #ingestFrom(provider: Provider): Promise<void> {
    const { name } = provider;
    await this.#deps.withLease(name, this.#end.signal, {
      onWaiting: (holder) => {
        this.#onStandby.add(name);
        this.#events.onStandby(name, holder);
      },
      work: async (term) => {
        this.#onStandby.delete(name);
        await this.#runQueue(provider, term);
        this.#exhausted.add(name);
      },
    });
  }

  /** Returns when the source needs a long cooldown or the lease term ends. */
  async #runQueue(provider: Provider, term: LeaseTerm): Promise<void> {
    const deps = this.#deps;
    const { name, hosts } = provider;
    const limits = limitsOf(provider, deps);
    const { signal } = term;
    const memory = deps.sourceMemory?.(name, term);
    const source = deps.client.source({ name, hosts, limits, memory });
    let cooldowns = 0;
    const ingest = (response: SourceResponse) => {
      cooldowns = 0;
      return deps.ingest(response, term, provider);
    };
    const queue = createRequestQueue({ ...deps, source, ingest, signal }, provider);
    while (!signal.aborted) {
      if (await queue.runNext('any')) continue;
      const cooldown = source.cooldown() ?? firstToEnd(source.hostCooldowns?.() ?? new Map());
      if (cooldown === null) {
        await deps.clock.sleep(POLL_MS, signal);
        continue;
      }
      const { reason, retryAt } = cooldown;
      this.#events.onCooldown(name, reason, retryAt);
      const waitMs = retryAt - deps.clock.now();
      cooldowns++;
      const cooldownsMax = reason === 'breaker-open' ? FAILURES_MAX : COOLDOWNS_MAX;
      if (waitMs > COOLDOWN_MS_MAX || cooldowns > cooldownsMax) return;
      await deps.clock.sleep(waitMs, signal);
    }
  }
}

function firstToEnd(cooldowns: ReadonlyMap<string, Cooldown>): Cooldown | null {
  return [...cooldowns.values()].toSorted((a, b) => a.retryAt - b.retryAt)[0] ?? null;
}
