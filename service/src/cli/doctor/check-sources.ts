import { requestsByUrl } from '../../ingest/planned-requests.ts';
import type { HttpClient } from '../../platform/http-client.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import {
  SourceResponseError,
  type Feed,
  type FeedRequest,
  type PlanContext,
  type Provider,
} from '../../providers/provider.ts';
import { broken, type Check, ok, skipped, warning } from './check.ts';

export interface SourceCheckDeps {
  client: HttpClient;
  sources: readonly Provider[];
  planContext(): Promise<PlanContext>;
  /** The service's clock was shifted on purpose, so there is nothing to compare. */
  isClockShifted: boolean;
}

const CLOCK_OFF_MS = 30_000;
const CLOCK_WRONG_MS = 5 * 60_000;

/** Whether each source answers, by one cheap request, and what time they believe it is. */
export async function checkSources(deps: SourceCheckDeps): Promise<Check[]> {
  const checks: Check[] = [];
  const ahead: number[] = [];
  for (const provider of deps.sources.filter(({ hosts }) => hosts.length > 0)) {
    const { name, hosts, limits } = provider;
    const source = deps.client.source({ name, hosts, limits });
    const cheapest = cheapestRequest(provider, await deps.planContext());
    if (cheapest === null) {
      checks.push(skipped('source', `${name}: there is nothing to ask it yet`));
      continue;
    }
    const { feed, request } = cheapest;
    const result = await source.fetch(request);
    const aheadMs = source.clockAheadMs?.() ?? null;
    if (aheadMs !== null) ahead.push(aheadMs);
    if (result.kind === 'unavailable') {
      checks.push(broken('source', `${name}: no answer (${result.reason})`, mendOf(result.reason)));
      continue;
    }
    const problem = problemOf(feed, createSourceResponse(result.response));
    checks.push(
      problem === null
        ? ok('source', `${name}: answers`)
        : broken('source', `${name}: answers with ${problem}`, 'see its keys and its terms'),
    );
  }
  return [...checks, checkClock(deps, ahead)];
}

/** A request of the feed that makes the fewest in a round. */
function cheapestRequest(
  provider: Provider,
  context: PlanContext,
): { feed: Feed; request: FeedRequest } | null {
  const planned = provider.feeds
    .map((feed) => ({ feed, requests: [...requestsByUrl(feed, context).values()] }))
    .filter(({ requests }) => requests.length > 0)
    .toSorted((a, b) => a.requests.length - b.requests.length);
  const [best] = planned;
  const request = best?.requests[0];
  return best === undefined || request === undefined ? null : { feed: best.feed, request };
}

function problemOf(feed: Feed, answer: ReturnType<typeof createSourceResponse>): string | null {
  try {
    feed.parse(answer);
    return null;
  } catch (error) {
    return error instanceof SourceResponseError ? error.reason : 'what cannot be read';
  }
}

function mendOf(reason: string): string {
  if (reason === 'blocked') return 'it blocks this address: wait some hours, or ask from another';
  if (reason === 'rate-limited') return 'it wants rest: wait, and see that nothing else asks it';
  return 'see whether this machine reaches the internet, and the source its users';
}

/** The nearest of the clocks: a source's own may be wrong, or its answer have been kept on the way. */
function checkClock({ isClockShifted }: SourceCheckDeps, ahead: readonly number[]): Check {
  if (isClockShifted) return skipped('clock', 'it is shifted on purpose (NOW)');
  const [nearest] = ahead.toSorted((a, b) => Math.abs(a) - Math.abs(b));
  if (nearest === undefined) return skipped('clock', 'no source told the time');
  const seconds = Math.round(Math.abs(nearest) / 1000);
  const text = `${seconds} s ${nearest > 0 ? 'behind' : 'ahead of'} the sources`;
  const mend = 'let the machine keep its time by NTP';
  if (Math.abs(nearest) > CLOCK_WRONG_MS) return broken('clock', text, mend);
  return Math.abs(nearest) > CLOCK_OFF_MS ? warning('clock', text, mend) : ok('clock', text);
}
