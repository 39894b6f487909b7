import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { SourceResponse, Provider } from '../providers/provider.ts';
import type { JobStore } from './job-store.ts';

const LOCAL_POLL_MS = 30_000;
/** After a failure all is read again from where it last went well, which may be much. */
const TROUBLE_MS_MAX = 10 * 60_000;
/** A store that was up to date so lately need not catch up before it serves again. */
const PRESENT_HOLDS_MS = 24 * 3_600_000;

/**
 * A source without a network: asked every half minute for what changed since the last time.
 * `filled` is told, once or more, that the store has the source's present state.
 */
export async function pollLocal(
  deps: {
    clock: Clock;
    log: Log;
    jobs: JobStore;
    ingest(answer: SourceResponse): Promise<unknown>;
    signal: AbortSignal;
  },
  provider: Provider,
  filled: () => void,
): Promise<void> {
  const { signal } = deps;
  const id = `${provider.name}/answers`;
  const presentId = `${provider.name}/present`;
  const log = deps.log.child({ job: id });
  const trouble = createBackoff({
    clock: deps.clock,
    minMs: LOCAL_POLL_MS,
    maxMs: TROUBLE_MS_MAX,
    log: (facts) =>
      log.error(facts, 'A simulated source could not be taken in; it is tried again.'),
  });
  let isLoaded = false;
  let from: Instant | null = null;
  while (!signal.aborted) {
    let waitMs = LOCAL_POLL_MS;
    try {
      const to = deps.clock.now();
      if (!isLoaded) {
        from = await deps.jobs.loadProgress(id);
        const presentAt = from ?? (await deps.jobs.loadProgress(presentId));
        if (presentAt !== null && to - presentAt < PRESENT_HOLDS_MS) filled();
      }
      isLoaded = true;
      if (from === null || to > from) {
        let isPresent = false;
        let isNoted = false;
        for (const answer of provider.generateResponses?.(from, to) ?? []) {
          if (signal.aborted) return;
          // Older answers after the newest: the present is in the store, the past follows.
          if (isPresent && !isNoted && answer.observedAt < to) {
            isNoted = true;
            await deps.jobs.saveProgress(presentId, to);
            filled();
          }
          await deps.ingest(answer);
          isPresent ||= answer.observedAt === to;
        }
        await deps.jobs.saveProgress(id, to);
        from = to;
      }
      filled();
      trouble.succeeded();
    } catch (error) {
      waitMs = trouble.failed(error);
    }
    await deps.clock.sleep(waitMs, signal);
  }
}
