import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { LoopReporter } from '../platform/loop-health.ts';
import type { SourceResponse, Provider } from '../providers/provider.ts';
import { logImportedFile } from './own-files/log-imported-file.ts';
import type { ResponseOptions } from './ingest.ts';
import type { ResponseReport } from './report.ts';
import type { JobStore } from './job-store.ts';

const POLL_MS = 30_000;
/** A retry repeats everything since the last success, which may be a lot. */
const BACKOFF_MS_MAX = 10 * 60_000;
/**
 * Maximum age of the current state. If it is older, the store is filled before it serves requests
 * again.
 */
const CURRENT_STATE_MS_MAX = 24 * 3_600_000;

interface LocalPollDeps {
  clock: Clock;
  health?: LoopReporter | undefined;
  log: Log;
  jobs: JobStore;
  ingest(
    response: SourceResponse,
    options: Pick<ResponseOptions, 'knownFrom'>,
  ): Promise<ResponseReport>;
  signal: AbortSignal;
}

/**
 * Polls a source that needs no network every 30 seconds for changes. Calls `onFilled`, possibly more
 * than once, when the store is up to date with the source.
 */
export async function pollLocal(
  deps: LocalPollDeps,
  provider: Provider,
  onFilled: () => void,
): Promise<void> {
  const { clock, jobs, signal } = deps;
  const jobId = `${provider.name}/answers`;
  const log = deps.log.child({ job: jobId });
  const backoff = createBackoff({
    clock,
    minMs: POLL_MS,
    maxMs: BACKOFF_MS_MAX,
    health: deps.health,
    log: (fields) =>
      log.error({ ...fields, event: 'ingest.loop_failed' }, 'local source failed, retrying'),
  });
  let isLoaded = false;
  let from: Instant | null = null;
  while (!signal.aborted) {
    let waitMs = POLL_MS;
    try {
      const to = clock.now();
      if (!isLoaded) {
        from = await jobs.loadProgress(jobId);
        const filledAt = from ?? (await jobs.loadProgress(currentStateId(provider)));
        if (filledAt !== null && to - filledAt < CURRENT_STATE_MS_MAX) onFilled();
      }
      isLoaded = true;
      if (from === null || to > from) {
        const isComplete = await ingestPeriod(deps, provider, { from, to }, onFilled);
        if (!isComplete) return;
        await jobs.saveProgress(jobId, to);
        from = to;
      }
      onFilled();
      backoff.succeeded();
    } catch (error) {
      waitMs = backoff.failed(error);
    }
    await clock.sleep(waitMs, signal);
  }
}

/** Returns false if the signal aborted before the last response. */
async function ingestPeriod(
  { jobs, ingest, signal, log }: LocalPollDeps,
  provider: Provider,
  { from, to }: { from: Instant | null; to: Instant },
  onFilled: () => void,
): Promise<boolean> {
  let hasCurrentState = false;
  let isSaved = false;
  for (const response of provider.generateResponses?.(from, to) ?? []) {
    if (signal.aborted) return false;
    // A response older than the newest one shows that the current state is stored and that the
    // history follows.
    if (hasCurrentState && !isSaved && response.observedAt < to) {
      isSaved = true;
      await jobs.saveProgress(currentStateId(provider), to);
      onFilled();
    }
    // The history after the current state is loaded while the service already responds, so nothing is
    // added to its past any more.
    const isPast = from === null && !hasCurrentState && response.observedAt < to;
    const knownFrom =
      provider.hasSimulatedPast === true && isPast ? response.observedAt : undefined;
    const report = await ingest(response, { knownFrom });
    if (isOwnFile(response)) logImportedFile(log, response, report);
    hasCurrentState ||= response.observedAt === to;
  }
  return true;
}

function isOwnFile({ url }: SourceResponse): boolean {
  return url.startsWith('file:');
}

function currentStateId({ name }: Provider): string {
  return `${name}/present`;
}
