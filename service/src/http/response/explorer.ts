import type { Endpoint } from '../../endpoints/endpoint.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { DayAllowance } from '../../metering/day-allowance.ts';
import type { CheckCompute } from '../compute-limit.ts';
import { problem, type Problem, withHeaders } from '../problems.ts';
import type { CheckQuota, QuotaRequest } from '../quota.ts';
import { watchlistNames } from '../request/expand-watchlists.ts';
import { splitQuery } from '../request/query-string.ts';
import { createTargetParser, resolveParameters } from '../request/request-target.ts';
import { createRoutes } from '../request/routes.ts';
import type { Requester } from '../response-cache.ts';
import type { CachedResponse } from './cached-response.ts';
import { applyHistoryLimit } from './resolved-query.ts';
import { ResponseLoader } from './response-loader.ts';

/** Limit on the history that the caller may see. */
export interface HistoryLimit {
  /** Name of the plan, shown in the problem document. */
  name: string;
  /** Number of months; null for all available history. */
  historyMonths: number | null;
}

/** A response from a read endpoint, independent of an HTTP request. */
export interface ExplorerResponse {
  mediaType: string;
  body: Buffer;
  /** Headers specific to this response, as alternating names and values. */
  headers: string[];
}

interface ExplorerRequest {
  name: string;
  query: string;
  customerId: string;
  payer: QuotaRequest['key'] | null;
  requester: Requester;
  remoteAddress: string;
}

/**
 * Provides read endpoints to callers without an API key, with the same responses and the same
 * cache.
 */
export interface Explorer {
  /**
   * Returns the response for a query. `query` is a URL query that also contains the endpoint's path
   * parameters. `customerId` owns the watchlists in the query; empty for an operator without a
   * customer. A response that has to be computed counts toward the minute and the computing time of
   * `payer`, and toward a daily allowance; null for an operator.
   */
  get(
    request: ExplorerRequest,
    limit: HistoryLimit,
    now: Instant,
  ): Promise<ExplorerResponse | { refusal: Problem }>;
}

export function createExplorer(
  options: {
    endpoints: readonly Endpoint[];
    checkQuota: CheckQuota;
    checkCompute: CheckCompute;
  } & ConstructorParameters<typeof ResponseLoader>[0],
): Explorer {
  const { endpoints, checkQuota, checkCompute } = options;
  const parseTarget = createTargetParser(createRoutes(endpoints));
  const loader = new ResponseLoader(options);
  const allowance = new DayAllowance();

  return {
    async get({ name, query, customerId, payer, requester, remoteAddress }, limit, now) {
      const endpoint = endpoints.find((candidate) => candidate.name === name);
      if (endpoint === undefined) return { refusal: UNKNOWN_ENDPOINT };
      const url = urlOf(endpoint, query);
      if (typeof url !== 'string') return url;
      const target = parseTarget(url);
      if (target === null) return { refusal: UNKNOWN_ENDPOINT };
      const resolved = resolveParameters(target, now);
      if ('refusal' in resolved) return resolved;
      const { values, location } = resolved;
      const limited = applyHistoryLimit({ endpoint, values, location }, limit, now);
      if ('refusal' in limited) return limited;
      const resolvedQuery =
        watchlistNames(limited).length === 0
          ? limited
          : await loader.expand(limited, customerId, requester);
      if ('refusal' in resolvedQuery) return resolvedQuery;
      const { ignoredParameters } = target;
      const cached = loader.cached(resolvedQuery, now);
      if (cached !== null) return toExplorerResponse(cached, ignoredParameters, []);
      let quotaHeaders: readonly string[] = [];
      if (payer !== null && !loader.isLoading(resolvedQuery)) {
        const refusal = checkCompute(payer) ?? allowanceProblem(allowance, payer, now);
        if (refusal !== null) return { refusal };
        const charge = { key: payer, endpoint, cost: 'minute', now, remoteAddress } as const;
        const decision = await checkQuota(charge);
        if (decision.kind === 'refused') return decision;
        quotaHeaders = decision.headers;
      }
      const result = await loader.load(resolvedQuery, now, requester);
      if ('refusal' in result) return { refusal: withHeaders(result.refusal, quotaHeaders) };
      return toExplorerResponse(result.response, ignoredParameters, quotaHeaders);
    },
  };
}

function allowanceProblem(
  allowance: DayAllowance,
  { customerId, plan }: QuotaRequest['key'],
  now: Instant,
): Problem | null {
  const exceeded = allowance.consume(customerId, plan, now);
  if (exceeded === null) return null;
  const { limit, resetAt } = exceeded;
  const detail =
    `The people of your account have explored ${limit} responses today that no cache had. Use an ` +
    'API key, or continue tomorrow.';
  const members = {
    violatedPolicies: ['explore'],
    limit,
    resetAt: formatInstant(resetAt),
    retryable: true,
  };
  const headers = ['Retry-After', String(Math.ceil((resetAt - now) / 1_000))];
  return problem('quota-exceeded', detail, { members, headers });
}

function urlOf(endpoint: Endpoint, query: string): string | { refusal: Problem } {
  const search: string[] = [];
  const pathValues = new Map<string, string>();
  const inPath = endpoint.parameters.filter((parameter) => parameter.in === 'path');
  const pathNames = inPath.map(({ name }) => name);
  for (const part of query.split('&')) {
    const [pair] = splitQuery(part);
    if (pair === undefined) continue;
    if (!pathNames.includes(pair.name)) search.push(part);
    else pathValues.set(pair.name, encodeURIComponent(pair.value ?? ''));
  }
  const missing = pathNames.find((name) => (pathValues.get(name) ?? '') === '');
  if (missing !== undefined) {
    const detail = `The parameter ${missing} is required.`;
    return { refusal: problem('missing-parameter', detail, { members: { parameter: missing } }) };
  }
  const path = endpoint.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => pathValues.get(name) ?? '',
  );
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}

function toExplorerResponse(
  cached: CachedResponse,
  ignoredParameters: string | null,
  quotaHeaders: readonly string[],
): ExplorerResponse {
  const { mediaType, body, asOf, dataSource, location } = cached;
  const headers = ['Content-Location', location, 'X-Data-Source', dataSource, ...cached.headers];
  if (asOf !== null) headers.push('X-Data-As-Of', formatInstant(asOf));
  if (ignoredParameters !== null) headers.push('X-Ignored-Parameters', ignoredParameters);
  return { mediaType, body, headers: [...headers, ...quotaHeaders] };
}

const UNKNOWN_ENDPOINT = problem('not-found', 'Unknown endpoint.');
