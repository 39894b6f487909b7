import type { Cost } from '../domain/quota-window.ts';
import { createSlidingWindowLimiter } from '../metering/sliding-window-limiter.ts';
import type { Clock } from '../platform/clock.ts';
import { WorkCancelledError } from '../platform/fair-queue.ts';
import { type CheckCompute, noComputeLimit } from './compute-limit.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { type Problem, PROBLEMS, withHeaders } from './problems.ts';
import {
  type Admitted,
  type CheckQuota,
  isMinuteOpen,
  noQuota,
  type QuotaDecision,
  refund,
  withExtraHeaders,
} from './quota.ts';
import { completedRequest, type RequestContext } from './request-context.ts';
import { memoizeHeader, parseAccept } from './request/accept.ts';
import { authenticate, type Authenticator, NO_FAILED_AUTH_LIMIT } from './request/authenticate.ts';
import { URI_TOO_LONG, URL_LENGTH_MAX } from './request/check-message.ts';
import { watchlistNames } from './request/expand-watchlists.ts';
import { createRequestIds } from './request/request-id.ts';
import { createTargetParser } from './request/request-target.ts';
import { resolveQuery } from './request/resolve-query.ts';
import { createRoutes } from './request/routes.ts';
import { splitUrl } from './request/split-url.ts';
import {
  CONCURRENT_LOADS_MAX,
  TOO_MANY_CONCURRENT_REQUESTS,
  UNKNOWN_PATH,
} from './read-refusals.ts';
import { ReadProblems } from './read-problems.ts';
import type { Requester } from './response-cache.ts';
import type { CachedResponse, DataSource } from './response/cached-response.ts';
import { fileResponse, needsNoBytes } from './response/file-response.ts';
import type { ReadApiOptions } from './read-api-options.ts';
import type { HttpResponse, ReadRequest } from './response/http-response.ts';
import type { ResolvedQuery } from './response/resolved-query.ts';
import type { ChangeStreams, StreamOpening } from './stream/change-streams.ts';
import { type LoadResult, ResponseLoader } from './response/response-loader.ts';
import { costOf, mayBeNotModified, ResponseRenderer } from './response/response-renderer.ts';

/**
 * Maximum number of responses computed per minute for a customer whose day or month quota is used
 * up. If the client's copy turns out to be current, the request counts only toward the minute quota
 * and is served.
 */
const UNCHARGED_LOADS_PER_MINUTE = 60;

type Eventually<T> = T | Promise<T>;

export interface ReadApi {
  /**
   * Returns the response synchronously if it is cached, otherwise a promise. Never throws or
   * rejects.
   */
  handle(request: ReadRequest): Eventually<HttpResponse>;
  /**
   * Returns a problem response with a new request ID, for failures that occur before a request
   * exists.
   */
  reject(refusal: Problem): HttpResponse;
  /** Resolves once no response body is being compressed. For tests only. */
  idle(): Promise<void>;
}

/** Creates the read API, which is independent of any web framework. */
export function createReadApi(options: ReadApiOptions): ReadApi {
  return new RequestPipeline(options);
}

/**
 * Every request passes through these checks. Their order is part of the public contract.
 *
 * 1. URL length, path, method
 * 2. API key: present, well-formed, known, usable
 * 3. parameters, response format, plan history
 * 4. quota
 * 5. data lookup
 */
class RequestPipeline implements ReadApi {
  readonly #clock: Clock;
  readonly #problems: ReadProblems;
  readonly #authenticator: Authenticator;
  readonly #checkQuota: CheckQuota;
  readonly #checkCompute: CheckCompute;
  readonly #onRequestCompleted: ReadApiOptions['onRequestCompleted'];
  readonly #nextRequestId: () => string;
  readonly #parseTarget: ReturnType<typeof createTargetParser>;
  readonly #parseAccept = memoizeHeader(parseAccept);
  readonly #dataSource: DataSource;
  readonly #streams: ChangeStreams | undefined;
  readonly #loader: ResponseLoader;
  readonly #renderer = new ResponseRenderer();
  readonly #concurrency = new ConcurrencyLimit(CONCURRENT_LOADS_MAX);
  readonly #unchargedLoads: ReturnType<typeof createSlidingWindowLimiter>;

  constructor(options: ReadApiOptions) {
    const { clock, keys, failedAuthLimiter = NO_FAILED_AUTH_LIMIT } = options;
    const { security, allowsKeysInUrls } = options;
    this.#clock = clock;
    this.#problems = new ReadProblems(options);
    this.#authenticator = { keys, failedAuthLimiter, security, allowsKeysInUrls };
    this.#checkQuota = options.checkQuota ?? noQuota;
    this.#checkCompute = options.checkCompute ?? noComputeLimit;
    this.#onRequestCompleted = options.onRequestCompleted;
    this.#nextRequestId = createRequestIds(options.random);
    this.#streams = options.streams;
    const streams = options.streams === undefined ? [] : [options.streams.endpoint];
    this.#parseTarget = createTargetParser(createRoutes([...options.endpoints, ...streams]));
    this.#dataSource = options.dataSource;
    this.#loader = new ResponseLoader(options);
    this.#unchargedLoads = createSlidingWindowLimiter(clock, UNCHARGED_LOADS_PER_MINUTE);
  }

  handle(request: ReadRequest): Eventually<HttpResponse> {
    const requestId = this.#nextRequestId();
    try {
      return this.#authenticateAndServe(request, requestId);
    } catch (error) {
      return this.#problems.failure(error, { requestId });
    }
  }

  reject(refusal: Problem): HttpResponse {
    return this.#problem(refusal, this.#nextRequestId());
  }

  idle(): Promise<void> {
    return this.#renderer.idle();
  }

  #authenticateAndServe(request: ReadRequest, requestId: string): Eventually<HttpResponse> {
    const { url, method } = request;
    if (url.length > URL_LENGTH_MAX) return this.#problem(URI_TOO_LONG, requestId);
    const { urlWithoutKey, key: keyInUrl } = splitUrl(url);
    const target = this.#parseTarget(urlWithoutKey);
    if (target === null) return this.#problem(UNKNOWN_PATH, requestId);
    if (method !== 'GET' && method !== 'HEAD') return this.#problems.otherMethod(method, requestId);

    const now = this.#clock.now();
    const credentials = { keyInUrl, query: target.query, now };
    const authentication = authenticate(this.#authenticator, request, credentials);
    if ('refusal' in authentication) return this.#problem(authentication.refusal, requestId);
    const { key } = authentication;
    return this.#observe({
      request,
      requestId,
      now,
      target,
      key,
      location: null,
      datesValidUntil: null,
    });
  }

  /** Serves the request and reports its outcome. */
  #observe(context: RequestContext): Eventually<HttpResponse> {
    const onRequestCompleted = this.#onRequestCompleted;
    if (onRequestCompleted === undefined) return this.#serve(context);
    const startedMs = this.#clock.monotonicMs();
    const report = (response: HttpResponse): HttpResponse => {
      const durationMs = this.#clock.monotonicMs() - startedMs;
      onRequestCompleted(completedRequest(context, response, durationMs));
      return response;
    };
    const response = this.#serve(context);
    return response instanceof Promise ? response.then(report) : report(response);
  }

  #serve(context: RequestContext): Eventually<HttpResponse> {
    const accept = this.#parseAccept((context.request.headers.accept as string | undefined) ?? '');
    const query = resolveQuery(context, accept, this.#parseTarget);
    if ('refusal' in query || watchlistNames(query).length === 0) {
      return this.#serveQuery(context, query);
    }
    return this.#expandAndServe(context, query);
  }

  /** Replaces the watchlists in the query by their companies, which must be read from the store. */
  async #expandAndServe(context: RequestContext, query: ResolvedQuery): Promise<HttpResponse> {
    const { requestId, target, key } = context;
    const release = this.#concurrency.acquire(key.customerId);
    if (release === null) return this.#problem(TOO_MANY_CONCURRENT_REQUESTS, requestId);
    try {
      const expanding = this.#loader.expand(query, key.customerId, requesterOf(context));
      return await this.#serveQuery(context, await expanding.finally(release));
    } catch (error) {
      return this.#problems.failure(error, { requestId, endpoint: target.endpoint.name });
    }
  }

  #serveQuery(
    context: RequestContext,
    query: ResolvedQuery | { refusal: Problem },
  ): Eventually<HttpResponse> {
    const { request, requestId, now, key } = context;
    if ('refusal' in query) {
      return this.#charge(context, 'minute', ({ headers }) =>
        this.#problem(withHeaders(query.refusal, headers), requestId),
      );
    }
    if (query.endpoint.findFile !== undefined) return this.#serveFile(context, query);
    if (query.endpoint.isStream === true) return this.#serveStream(context, query);
    const cached = this.#loader.cached(query, now);
    if (cached !== null) {
      return this.#charge(context, costOf(request, cached), ({ headers }) =>
        this.#render(context, cached, headers),
      );
    }
    // Waiting for a running computation adds no load, so the request needs no slot.
    if (this.#loader.isLoading(query)) return this.#chargeAndLoad(context, query);
    const exhausted = this.#checkCompute(key);
    if (exhausted !== null) return this.#problem(exhausted, requestId);
    const release = this.#concurrency.acquire(key.customerId);
    if (release === null) return this.#problem(TOO_MANY_CONCURRENT_REQUESTS, requestId);
    let isPending = false;
    try {
      const response = this.#chargeAndLoad(context, query);
      isPending = response instanceof Promise;
      return response instanceof Promise ? response.finally(release) : response;
    } finally {
      if (!isPending) release();
    }
  }

  async #serveStream(context: RequestContext, query: ResolvedQuery): Promise<HttpResponse> {
    let opening: StreamOpening = { refusal: UNKNOWN_PATH };
    try {
      opening = (await this.#streams?.prepare(context, query)) ?? opening;
    } catch (error) {
      return this.#problems.failure(error, {
        requestId: context.requestId,
        endpoint: query.endpoint.name,
      });
    }
    return this.#charge(context, 'refusal' in opening ? 'minute' : 'all', ({ headers }) =>
      'open' in opening
        ? opening.open(headers)
        : this.#problem(withHeaders(opening.refusal, headers), context.requestId),
    );
  }

  /** Serves a file, which is not cached. A client that has it already pays only for the minute. */
  async #serveFile(context: RequestContext, query: ResolvedQuery): Promise<HttpResponse> {
    const { request, requestId, now } = context;
    const { endpoint, values, location } = query;
    const { mediaType = 'application/octet-stream' } = endpoint;
    const dataSource = this.#dataSource;
    const maxAgeSeconds = endpoint.maxAgeSeconds(values, now);
    const options = { request, requestId, mediaType, dataSource, location, maxAgeSeconds };
    try {
      const file = (await endpoint.findFile?.(values)) ?? null;
      const cost = needsNoBytes(request, file) ? 'minute' : 'all';
      return await this.#charge(context, cost, async (admitted) => {
        const { headers } = admitted;
        const result = await fileResponse(file, { ...options, extraHeaders: headers }).catch(
          (error: unknown) =>
            this.#problems.failure(error, { requestId, endpoint: endpoint.name }, refund(admitted)),
        );
        if (!('refusal' in result)) return result;
        return this.#problem(withHeaders(result.refusal, headers), requestId);
      });
    } catch (error) {
      return this.#problems.failure(error, { requestId, endpoint: endpoint.name });
    }
  }

  #chargeAndLoad(context: RequestContext, query: ResolvedQuery): Eventually<HttpResponse> {
    const { request, requestId, now, target, key } = context;
    const isConditional = mayBeNotModified(request.headers);
    const where = { requestId, endpoint: target.endpoint.name };
    return this.#charge(
      context,
      'all',
      (admitted) =>
        this.#loader.load(query, now, requesterOf(context)).then(
          (result) => this.#renderResult(context, result, admitted),
          (error: unknown) =>
            this.#problems.failure(error, where, refundUnlessGone(error, admitted)),
        ),
      // A 304 counts only toward the minute quota, but the response must be loaded to determine
      // whether it is a 304.
      (refusal) =>
        isConditional && isMinuteOpen(refusal) && this.#unchargedLoads.consume(key.customerId) === 0
          ? this.#loadAndCharge(context, query)
          : null,
    );
  }

  /**
   * Loads the response before charging for it, for a client whose day or month quota is used up but
   * whose minute quota is not.
   */
  #loadAndCharge(context: RequestContext, query: ResolvedQuery): Promise<HttpResponse> {
    const { request, requestId, now, target } = context;
    const where = { requestId, endpoint: target.endpoint.name };
    return this.#loader.load(query, now, requesterOf(context)).then(
      (result) =>
        this.#charge(
          context,
          'response' in result ? costOf(request, result.response) : 'all',
          (admitted) => this.#renderResult(context, result, admitted),
        ),
      (error: unknown) =>
        this.#charge(context, 'minute', ({ headers }) =>
          this.#problems.failure(error, where, headers),
        ),
    );
  }

  /**
   * Charges the cost of a request, then responds. If a quota window is used up, the request is
   * refused unless `onRefused` returns a response.
   */
  #charge(
    context: RequestContext,
    cost: Cost,
    respond: (admitted: Admitted) => Eventually<HttpResponse>,
    onRefused?: (refusal: Problem) => Promise<HttpResponse> | null,
  ): Eventually<HttpResponse> {
    const { request, requestId, now, target, key } = context;
    const { endpoint, extraHeaders } = target;

    const apply = (decision: QuotaDecision): Eventually<HttpResponse> => {
      if (decision.kind === 'refused') {
        const { refusal } = decision;
        return (
          onRefused?.(refusal) ?? this.#problem(withHeaders(refusal, extraHeaders ?? []), requestId)
        );
      }
      return respond(extraHeaders === null ? decision : withExtraHeaders(decision, extraHeaders));
    };

    const { remoteAddress } = request;
    const decision = this.#checkQuota({ key, endpoint, cost, now, remoteAddress });
    if (!(decision instanceof Promise)) return apply(decision);
    return decision
      .then(apply)
      .catch((error: unknown) =>
        this.#problems.failure(error, { requestId, endpoint: endpoint.name }),
      );
  }

  #render(
    context: RequestContext,
    response: CachedResponse,
    headers: readonly string[],
  ): Eventually<HttpResponse> {
    const render = (): HttpResponse =>
      this.#renderer.render(context, response, this.#clock.now(), headers);
    return this.#renderer.prepare(context.request, response)?.then(render) ?? render();
  }

  #renderResult(
    context: RequestContext,
    result: LoadResult,
    admitted: Admitted,
  ): Eventually<HttpResponse> {
    if ('response' in result) {
      const { response } = result;
      const costsAll = costOf(context.request, response) === 'all';
      const headers = costsAll ? admitted.headers : refund(admitted);
      return this.#render(context, response, headers);
    }
    // An expired cursor makes the request invalid, which is only detected after the data has been
    // loaded.
    const isInvalid = PROBLEMS[result.refusal.code].status === 400;
    const headers = isInvalid ? refund(admitted) : admitted.headers;
    return this.#problem(withHeaders(result.refusal, headers), context.requestId);
  }

  #problem(reason: Problem, requestId: string): HttpResponse {
    return this.#problems.render(reason, requestId);
  }
}

/** A client that goes before its response is computed pays for it, as for any response. */
function refundUnlessGone(error: unknown, admitted: Admitted): readonly string[] {
  return error instanceof WorkCancelledError ? admitted.headers : refund(admitted);
}

function requesterOf({ key, request }: RequestContext): Requester {
  return { queueKey: key.customerId, whenClosed: request.whenClosed };
}
