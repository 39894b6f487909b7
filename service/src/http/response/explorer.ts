import type { Endpoint } from '../../endpoints/endpoint.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { WorkCancelledError } from '../../platform/fair-queue.ts';
import type { CheckCompute } from '../compute-limit.ts';
import { problem, type Problem, PROBLEMS, withHeaders } from '../problems.ts';
import { type Admitted, type CheckQuota, type QuotaRequest, refund } from '../quota.ts';
import { expandWatchlists } from '../request/expand-watchlists.ts';
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

export interface ExplorerRequest {
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
   * customer. The response counts toward the quotas of `payer`; null for an operator.
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
      const resolvedQuery = await expandWatchlists(options.db, limited, customerId);
      if ('refusal' in resolvedQuery) return resolvedQuery;
      const cached = loader.cached(resolvedQuery, now);
      if (cached === null && payer !== null && !loader.isLoading(resolvedQuery)) {
        const exhausted = checkCompute(payer);
        if (exhausted !== null) return { refusal: exhausted };
      }
      const charge = { endpoint, cost: 'all', now, remoteAddress } as const;
      const decision = payer === null ? FREE : await checkQuota({ ...charge, key: payer });
      if (decision.kind === 'refused') return decision;
      const result =
        cached !== null
          ? { response: cached }
          : await loader.load(resolvedQuery, now, requester).catch((error: unknown) => {
              if (!(error instanceof WorkCancelledError)) decision.refund();
              throw error;
            });
      if ('refusal' in result) {
        const isInvalid = PROBLEMS[result.refusal.code].status === 400;
        return {
          refusal: withHeaders(result.refusal, isInvalid ? refund(decision) : decision.headers),
        };
      }
      return toExplorerResponse(result.response, target.ignoredParameters, decision.headers);
    },
  };
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

/** Operators are not metered. */
const FREE: Admitted = { kind: 'admitted', headers: [], refund: () => undefined };
const UNKNOWN_ENDPOINT = problem('not-found', 'Unknown endpoint.');
