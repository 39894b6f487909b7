import type { BatchProgress } from '../datasets/jobs/request-store.ts';
import type { Instant } from '../platform/instant.ts';
import type { SourceResponse, Provider } from '../providers/provider.ts';
import type { LiveDeps } from './live-feeds.ts';
import { createRequestQueue } from './request-queue.ts';

export interface BatchEvents {
  onProgress(onProgress: BatchProgress): void;
  /** The source asks for rest, and is left alone until then. */
  onCooldown(provider: string, reason: string, until: Instant): void;
  /** Another process gathers from the source, and makes the requests. */
  onStandby(provider: string, holder: string): void;
}

const LOOK_MS = 1000;
/** Who asks by hand waits so long for a source that wants rest, and comes back later otherwise. */
const REST_MS_MAX = 30 * 60_000;
/** So many rests with no answer between them, and it is left for another day. */
const RESTS_MAX = 3;
/** Another process that gets no further either is not waited for any longer. */
const STALL_MS = 20 * 60_000;
/** One that fails by itself, rather than ask for rest, gets one more try. */
const FAILURES_MAX = 1;

/**
 * Makes the requests of a batch, or lets the process that gathers from the source make them, and
 * returns how it ended: with some still open when a source wants a long rest, or at an abort. What
 * is open stays in the store: the next batch, or the next start of a service, goes on from there.
 */
export async function runBatch(
  deps: LiveDeps,
  providers: readonly Provider[],
  load: () => Promise<BatchProgress>,
  events: BatchEvents,
  signal: AbortSignal,
): Promise<BatchProgress> {
  const end = new AbortController();
  const stop = (): void => end.abort();
  signal.addEventListener('abort', stop);
  const tired = new Set<string>();
  const left = new Set<string>();
  let movedAtMs = deps.clock.monotonicMs();
  const work = Promise.all(providers.map((provider) => workOn(provider)));
  let progress = await load();
  while (progress.open > 0 && !end.signal.aborted && tired.size < providers.length) {
    events.onProgress(progress);
    await deps.clock.sleep(LOOK_MS, end.signal);
    const before = progress.open;
    progress = await load();
    if (progress.open !== before || left.size === 0) movedAtMs = deps.clock.monotonicMs();
    if (deps.clock.monotonicMs() - movedAtMs > STALL_MS) break;
  }
  stop();
  await work;
  signal.removeEventListener('abort', stop);
  const last = await load();
  events.onProgress(last);
  return last;

  async function workOn(provider: Provider): Promise<void> {
    const { name, hosts, limits } = provider;
    await deps.withLease(name, end.signal, {
      onWaiting(holder) {
        left.add(name);
        events.onStandby(name, holder);
      },
      async work(term) {
        left.delete(name);
        const source = deps.client.source({ name, hosts, limits });
        let answers = 0;
        const ingest = (answer: SourceResponse) => {
          answers++;
          return deps.ingest(answer, term, provider);
        };
        const { signal: ended } = term;
        const server = createRequestQueue({ ...deps, source, ingest, signal: ended }, provider);
        let rests = 0;
        while (!ended.aborted) {
          const had = answers;
          if (await server.runNext('any')) {
            if (answers > had) rests = 0;
            continue;
          }
          const rest = source.cooldown();
          if (rest === null) {
            await deps.clock.sleep(LOOK_MS, ended);
            continue;
          }
          events.onCooldown(name, rest.reason, rest.retryAt);
          const cooldownMs = rest.retryAt - deps.clock.now();
          const restsMax = rest.reason === 'breaker-open' ? FAILURES_MAX : RESTS_MAX;
          if (cooldownMs > REST_MS_MAX || ++rests > restsMax) break;
          await deps.clock.sleep(cooldownMs, ended);
        }
        tired.add(name);
      },
    });
  }
}
