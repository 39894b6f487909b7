import type { Clock } from '../platform/clock.ts';
import { formatInstant, type Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import type { SourceClient, SourceRequest } from '../platform/source-client.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import type { SourceResponse, FeedRequest } from '../providers/provider.ts';
import type { ResponseReport } from './report.ts';

export interface RunDeps {
  clock: Clock;
  log: Log;
  source: SourceClient;
  ingest(response: SourceResponse): Promise<ResponseReport>;
  signal: AbortSignal;
  /** Called after each request that got no response. */
  onFailure?(failed: FailedRequest): Promise<void>;
  /** Called after each request that does not have to be repeated. */
  onMade?(request: FeedRequest): void;
}

export interface FailedRequest {
  url: string;
  startedAt: Instant;
  durationMs: number;
  reason: string;
}

/**
 * `done`: all requests were made. `nothing`: there were no requests. `cut-short`: the source or the
 * store stopped the run, so it should be retried soon. `unusable`: like `cut-short`, but the source
 * keeps responding with nothing usable.
 */
export type JobOutcome = 'done' | 'nothing' | 'cut-short' | 'unusable' | 'stopped';

export type RequestResult =
  | { kind: 'ingested' | 'rejected'; rows: number; isUnusable: boolean }
  | { kind: 'unavailable'; reason: string }
  | { kind: 'stopped' }
  /** The whole source is cooling down, or only the requested host. */
  | { kind: 'cooldown'; waitMs: number; isHostOnly?: boolean | undefined };

/** Longest cooldown that a run waits for. The schedule handles longer cooldowns. */
const COOLDOWN_MS_MAX = 30 * 60_000;
const COOLDOWNS_MAX = 4;
/**
 * Number of consecutive unusable responses that indicate a problem with the source, not with a
 * single page.
 */
const UNUSABLE_MAX = 3;
const COOLDOWN_REASONS: ReadonlySet<string> = new Set(['blocked', 'rate-limited', 'breaker-open']);

/**
 * Makes requests one after the other and ingests each response. Failed requests are logged and
 * skipped. The run waits out a short cooldown, and ends after repeated unusable responses. `between`
 * runs before each request.
 */
export async function runRequests(
  deps: RunDeps,
  requests: readonly FeedRequest[],
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<JobOutcome> {
  if (requests.length === 0) return 'nothing';
  let cooldowns = 0;
  let failures = 0;
  let unusable = 0;
  let unusableInARow = 0;
  for (let next = 0; next < requests.length;) {
    if (deps.signal.aborted) return 'stopped';
    await between();
    const request = requests[next];
    if (request === undefined) break;
    const result = await fetchAndIngest(deps, request);
    if (result.kind === 'stopped') return 'stopped';
    const isHostOnly = result.kind === 'cooldown' && result.isHostOnly === true;
    if (result.kind === 'cooldown' && !isHostOnly) {
      cooldowns++;
      if (cooldowns > COOLDOWNS_MAX || result.waitMs > COOLDOWN_MS_MAX) return 'cut-short';
      await deps.clock.sleep(Math.max(result.waitMs, 1), deps.signal);
      continue;
    }
    const isUnusable = result.kind === 'rejected' && result.isUnusable;
    if (isUnusable) unusable++;
    unusableInARow = isUnusable ? unusableInARow + 1 : 0;
    if (unusableInARow >= UNUSABLE_MAX) return 'unusable';
    if (isUnusable || isHostOnly || result.kind === 'unavailable') failures++;
    else deps.onMade?.(request);
    next++;
  }
  if (failures <= requests.length / 2) return 'done';
  return unusable === failures ? 'unusable' : 'cut-short';
}

/** Returns the hosts that get no requests, for a source with independent hosts. */
export function coolingHosts(source: SourceClient): string[] {
  return [...(source.hostCooldowns?.().keys() ?? [])];
}

/** Makes one request and ingests its response. Throws only if the store fails. */
export async function fetchAndIngest(
  deps: RunDeps,
  request: FeedRequest & Pick<SourceRequest, 'attemptsMax'>,
): Promise<RequestResult> {
  const { clock, log } = deps;
  const [startedAt, startedAtMs] = [clock.now(), clock.monotonicMs()];
  const result = await deps.source.fetch({ ...request, signal: deps.signal });
  const path = new URL(request.url).pathname;
  if (result.kind === 'response') {
    const report = await deps.ingest(createSourceResponse(result.response));
    const rows = report.datasets.reduce((sum, { rowsSeen }) => sum + rowsSeen, 0);
    for (const difference of report.scheduleDifferences ?? []) {
      log.warn(
        { event: 'market.schedule_differs', difference },
        'a source states another market schedule',
      );
    }
    const isRejected = report.datasets.some(({ outcome }) => outcome === 'rejected');
    if (!isRejected) return { kind: 'ingested', rows, isUnusable: false };
    const rejection = report.datasets[0]?.reason ?? null;
    log.warn({ event: 'ingest.response_rejected', path, reason: rejection }, 'response rejected');
    if (report.rejectedAs === 'blocked' && deps.source.refused !== undefined) {
      const { reason, retryAt, isHostOnly } = deps.source.refused();
      log.warn(
        { event: 'source.unavailable', path, reason, retryAt: formatInstant(retryAt) },
        'source refuses requests',
      );
      return { kind: 'cooldown', waitMs: retryAt - clock.now(), isHostOnly };
    }
    return { kind: 'rejected', rows, isUnusable: report.rejectedAs !== 'not-found' };
  }
  const { reason, retryAt, isHostOnly } = result;
  if (reason === 'stopped') return { kind: 'stopped' };
  const event = reason === 'rate-limited' ? 'source.rate_limited' : 'source.unavailable';
  log.warn({ event, path, reason, retryAt: formatInstant(retryAt) }, 'source request failed');
  const durationMs = clock.monotonicMs() - startedAtMs;
  await deps.onFailure?.({ url: request.url, startedAt, durationMs, reason });
  if (!COOLDOWN_REASONS.has(reason)) return { kind: 'unavailable', reason };
  return { kind: 'cooldown', waitMs: retryAt - clock.now(), isHostOnly };
}
