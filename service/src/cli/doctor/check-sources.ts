import { requestsByUrl } from '../../ingest/planned-requests.ts';
import type { HttpClient } from '../../platform/http-client.ts';
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
  sources: readonly Provider[];
  planContext(): Promise<PlanContext>;
  /** True if NOW shifts the clock. The clock is then not compared with the sources' clocks. */
  isClockShifted: boolean;
}

const CLOCK_OFF_MS = 30_000;
const CLOCK_WRONG_MS = 5 * 60_000;

/** Makes one cheap request to each source and compares the local clock with the sources' clocks. */
export async function checkSources(deps: SourceCheckDeps): Promise<Check[]> {
  const checks: Check[] = [];
  const ahead: number[] = [];
  for (const provider of deps.sources.filter(({ hosts }) => hosts.length > 0)) {
    const { name, hosts, limits } = provider;
    const source = deps.client.source({ name, hosts, limits });
    const cheapest = cheapestRequest(provider, await deps.planContext());
    if (cheapest === null) {
      checks.push(skipped('source', `${name}: nothing to request yet`));
      continue;
    }
    const { feed, request } = cheapest;
    const result = await source.fetch(request);
    const aheadMs = source.clockAheadMs?.() ?? null;
    if (aheadMs !== null) ahead.push(aheadMs);
    if (result.kind === 'unavailable') {
      checks.push(
        broken('source', `${name}: no response (${result.reason})`, fixFor(result.reason)),
      );
      continue;
    }
    const problem = problemOf(feed, createSourceResponse(result.response));
    checks.push(
      problem === null
        ? ok('source', `${name}: responds`)
        : broken('source', `${name}: ${problem}`, 'check its API key and terms'),
    );
  }
  return [...checks, checkClock(deps, ahead)];
}

/** Returns one request from the feed that needs the fewest requests. */
function cheapestRequest(
  provider: Provider,
  context: PlanContext,
): { feed: Feed; request: FeedRequest } | null {
  const planned = provider.feeds
    .map((feed) => ({ feed, requests: [...requestsByUrl(feed, context).values()] }))
    .filter(({ requests }) => requests.length > 0)
    .toSorted((a, b) => a.requests.length - b.requests.length);
  const [cheapest] = planned;
  const request = cheapest?.requests[0];
  return cheapest === undefined || request === undefined ? null : { feed: cheapest.feed, request };
}

function problemOf(feed: Feed, response: SourceResponse): string | null {
  try {
    feed.parse(response);
    return null;
  } catch (error) {
    return error instanceof SourceResponseError
      ? `invalid response (${error.reason})`
      : 'unreadable response';
  }
}

function fixFor(reason: string): string {
  if (reason === 'blocked')
    return 'it blocks this IP address: wait a few hours, or use another address';
  if (reason === 'rate-limited') return 'wait, and check that no other process uses this source';
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
