import { newYorkDate } from '../../domain/new-york.ts';
import { requestsByUrl } from '../../ingest/planned-requests.ts';
import type { HttpClient } from '../../platform/http-client.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Cooldown } from '../../platform/source-cooldown.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import {
  SourceResponseError,
  type Feed,
  type FeedRequest,
  type PlanContext,
  type Provider,
  type SourceResponse,
} from '../../providers/provider.ts';
import { broken, type Check, ok, skipped, warning } from './check.ts';

export interface SourceCheckDeps {
  client: HttpClient;
  clock: Clock;
  sources: readonly Provider[];
  /** Returns the value of a source's setting, such as its API key. */
  setting: PlanContext['setting'];
  /** True if NOW shifts the clock. The clock is then not compared with the sources' clocks. */
  isClockShifted: boolean;
}

const CLOCK_OFF_MS = 30_000;
const CLOCK_WRONG_MS = 5 * 60_000;
/** A company that every source knows, for sources that only have pages about companies. */
const PROBE_COMPANIES = { symbols: ['AAPL'], ciks: new Map([['AAPL', '0000320193']]) };

/** Makes one request to each source and compares the local clock with the sources' clocks. */
export async function checkSources(deps: SourceCheckDeps): Promise<Check[]> {
  const checks: Check[] = [];
  const ahead: number[] = [];
  const now = deps.clock.now();
  const context = { now, today: newYorkDate(now), ...PROBE_COMPANIES, setting: deps.setting };
  for (const provider of deps.sources) {
    const { name, hosts } = provider;
    const probe = hosts.length > 0 ? probeOf(provider, context) : null;
    if (probe === null) checks.push(skipped('source', `${name}: no requests over the network`));
    else checks.push(await checkSource(deps, provider, { ...probe, ahead }));
  }
  return [...checks, checkClock(deps, ahead)];
}

async function checkSource(
  { client, clock }: SourceCheckDeps,
  provider: Provider,
  probe: { feed: Feed; request: FeedRequest; ahead: number[] },
): Promise<Check> {
  const { name, hosts, limits } = provider;
  const { feed, request, ahead } = probe;
  const source = client.source({ name, hosts, limits });
  const startedAtMs = clock.monotonicMs();
  const result = await source.fetch({ ...request, attemptsMax: 1 });
  const seconds = ((clock.monotonicMs() - startedAtMs) / 1000).toFixed(1);
  const aheadMs = source.clockAheadMs?.() ?? null;
  if (aheadMs !== null) ahead.push(aheadMs);
  if (result.kind === 'unavailable') {
    const message = `${name}: ${describe(result.reason)} (${feed.name}, after ${seconds} s)`;
    return broken('source', message, fixFor(provider, result.reason));
  }
  const outcome = readProbe(feed, createSourceResponse(result.response));
  if (typeof outcome === 'number') {
    return ok('source', `${name}: works (${feed.name}, ${outcome} rows in ${seconds} s)`);
  }
  const { status } = result.response;
  const problem = outcome.kind === 'blocked' ? 'refused' : 'unusable response';
  const message = `${name}: ${problem}, HTTP ${status} (${feed.name}, ${outcome.reason})`;
  const isKeyProblem = status === 401 || outcome.reason === 'invalid-key';
  return broken(
    'source',
    message,
    isKeyProblem ? keyFix(provider) : fixFor(provider, outcome.kind),
  );
}

/** Returns the first request of the provider's probe, or else of the feed with the fewest requests. */
function probeOf(
  provider: Provider,
  context: PlanContext,
): { feed: Feed; request: FeedRequest } | null {
  const planned = provider.feeds
    .map((feed) => ({ feed, requests: [...requestsByUrl(feed, context).values()] }))
    .filter(({ requests }) => requests.length > 0)
    .toSorted((a, b) => a.requests.length - b.requests.length);
  const best = planned.find(({ feed }) => feed.isProbe === true) ?? planned[0];
  const request = best?.requests[0];
  return best === undefined || request === undefined ? null : { feed: best.feed, request };
}

/** Returns the number of rows in the response, or the error for which it is rejected. */
function readProbe(
  feed: Feed,
  response: SourceResponse,
): number | Pick<SourceResponseError, 'kind' | 'reason'> {
  try {
    const { rows, bars } = feed.parse(response);
    return rows.length + (bars?.rows.length ?? 0);
  } catch (error) {
    return error instanceof SourceResponseError
      ? error
      : { kind: 'damaged', reason: 'unreadable-response' };
  }
}

/** Returns the advice for a rejected key. Contains the name of its setting, never its value. */
function keyFix({ settings }: Provider): string {
  const key = settings.find(({ secret }) => secret);
  return key === undefined ? 'the source now requires a key' : `check ${key.name}: ${key.fix}`;
}

function describe(reason: Cooldown['reason']): string {
  if (reason === 'blocked' || reason === 'rate-limited') return `refused, ${reason}`;
  return reason === 'timeout' ? 'no response' : `not reached, ${reason}`;
}

function fixFor(
  { whenRefused, limits }: Provider,
  reason: Cooldown['reason'] | SourceResponseError['kind'],
): string {
  const isRefusal =
    reason === 'blocked' ||
    reason === 'rate-limited' ||
    (reason === 'timeout' && limits.hangsWhenBlocked === true);
  if (isRefusal && whenRefused !== undefined) return whenRefused;
  if (isRefusal)
    return 'the limit of your plan is used up, or another process uses this source: wait';
  if (['error-answer', 'damaged', 'not-found', 'unsupported'].includes(reason)) {
    return 'the source may have changed its format: update Afterbell';
  }
  return "check this machine's internet connection and the status of the source";
}

/**
 * Compares the local clock with the closest source clock, because a source's clock may be wrong or
 * its response cached.
 */
function checkClock({ isClockShifted }: SourceCheckDeps, ahead: readonly number[]): Check {
  if (isClockShifted) return skipped('clock', 'shifted by NOW');
  const [closest] = ahead.toSorted((a, b) => Math.abs(a) - Math.abs(b));
  if (closest === undefined) return skipped('clock', 'no source sent its time');
  const seconds = Math.round(Math.abs(closest) / 1000);
  const text = `${seconds} s ${closest > 0 ? 'behind' : 'ahead of'} the sources`;
  const fix = 'synchronize the clock with NTP';
  if (Math.abs(closest) > CLOCK_WRONG_MS) return broken('clock', text, fix);
  return Math.abs(closest) > CLOCK_OFF_MS ? warning('clock', text, fix) : ok('clock', text);
}
