import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import type { FetchResult, SourceClient } from '../platform/source-client.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import type { SourceResponse, FeedRequest } from '../providers/provider.ts';
import type { ResponseReport } from './report.ts';

export interface RunDeps {
  clock: Clock;
  log: Log;
  source: SourceClient;
  ingest(answer: SourceResponse): Promise<ResponseReport>;
  signal: AbortSignal;
  /** Told of each request that brought no answer. */
  onFailure?(failed: {
    url: string;
    startedAt: Instant;
    durationMs: number;
    reason: string;
  }): Promise<void>;
}

/**
 * `done`: asked for all; `nothing`: there was nothing to ask; `cut-short`: the source or the store
 * stopped us, so try again soon.
 */
export type JobOutcome = 'done' | 'nothing' | 'cut-short' | 'stopped';

/** What one request came to. */
export type RequestResult =
  | { kind: 'ingested' | 'rejected'; rows: number; isUnusable: boolean }
  | { kind: 'unavailable'; reason: string }
  | { kind: 'stopped' }
  /** The whole source rests, for longer than is waited out here. */
  | { kind: 'resting'; waitMs: number };

/** A rest that is longer than this is waited out by the schedule, not here. */
const REST_MS_MAX = 30 * 60_000;
const RESTS_MAX = 4;
/** So many answers of no use in a row, and the source is ill rather than the page. */
const ILL_MAX = 3;

/**
 * Makes requests one after the other and hands each answer on as it comes. What the source cannot
 * give is logged and left out; when it asks for rest, it gets it, and the run goes on after; when
 * it answers only nonsense, the run ends. `between` runs before each request.
 */
export async function runRequests(
  deps: RunDeps,
  requests: readonly FeedRequest[],
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<JobOutcome> {
  if (requests.length === 0) return 'nothing';
  let rests = 0;
  let failures = 0;
  let illInARow = 0;
  for (let next = 0; next < requests.length;) {
    if (deps.signal.aborted) return 'stopped';
    await between();
    const request = requests[next];
    if (request === undefined) break;
    const asked = await fetchAndIngest(deps, request);
    if (asked.kind === 'stopped') return 'stopped';
    if (asked.kind === 'resting') {
      rests++;
      if (rests > RESTS_MAX || asked.waitMs > REST_MS_MAX) return 'cut-short';
      await deps.clock.sleep(Math.max(asked.waitMs, 1), deps.signal);
      continue;
    }
    const isUnusable = asked.kind === 'rejected' && asked.isUnusable;
    illInARow = isUnusable ? illInARow + 1 : 0;
    if (illInARow >= ILL_MAX) return 'cut-short';
    if (isUnusable || asked.kind === 'unavailable') failures++;
    next++;
  }
  return failures > requests.length / 2 ? 'cut-short' : 'done';
}

/** Makes one request and takes its answer in. Throws only when the store fails. */
export async function fetchAndIngest(deps: RunDeps, request: FeedRequest): Promise<RequestResult> {
  const [startedAt, beganMs] = [deps.clock.now(), deps.clock.monotonicMs()];
  const result = await deps.source.fetch({ ...request, signal: deps.signal });
  const path = new URL(request.url).pathname;
  if (result.kind === 'response') {
    const report = await deps.ingest(createSourceResponse(result.response));
    const rows = report.datasets.reduce((sum, { rowsSeen }) => sum + rowsSeen, 0);
    const isRejected = report.datasets.some(({ outcome }) => outcome === 'rejected');
    if (!isRejected) return { kind: 'ingested', rows, isUnusable: false };
    const reason = report.datasets[0]?.reason ?? null;
    deps.log.warn({ path, reason }, 'An answer was of no use.');
    return { kind: 'rejected', rows, isUnusable: report.rejectedAs !== 'not-found' };
  }
  if (result.reason === 'stopped') return { kind: 'stopped' };
  deps.log.warn(
    { path, reason: result.reason, retryAt: result.retryAt },
    'A source gave no answer.',
  );
  const durationMs = deps.clock.monotonicMs() - beganMs;
  const { url } = request;
  await deps.onFailure?.({ url, startedAt, durationMs, reason: result.reason });
  if (!isRest(result)) return { kind: 'unavailable', reason: result.reason };
  return { kind: 'resting', waitMs: result.retryAt - deps.clock.now() };
}

/** The whole source rests: the next request would fare no better. */
function isRest(result: Extract<FetchResult, { kind: 'unavailable' }>): boolean {
  return ['blocked', 'rate-limited', 'breaker-open'].includes(result.reason);
}
