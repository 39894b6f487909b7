import type { KeyRing } from '../accounts/keys/api-key-cache.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { minuteLimit } from '../metering/sliding-window-limiter.ts';
import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Queryable } from '../storage/db.ts';
import { isStoreTrouble } from '../storage/errors.ts';
import { type QuotaDecision, type CheckQuota, noQuota, type Cost } from './quota.ts';
import type { ResponseCache } from './response-cache.ts';
import type { HttpResponse, ReadRequest } from './response/http-response.ts';
import { createResponseLoader, type LoadResult } from './response/response-loader.ts';
import { COMMON_HEADERS, PREFLIGHT_HEADERS } from './response/headers.ts';
import { problemResponse } from './response/problem-response.ts';
import { type ResolvedQuery, applyHistoryLimit } from './response/resolved-query.ts';
import { createResponseRenderer, isNotModified } from './response/response-renderer.ts';
import type { DataSource, CachedResponse } from './response/cached-response.ts';
import { type RequestContext, observer, type CompletedRequest } from './request-context.ts';
import { problem, type Problem, PROBLEMS } from './problems.ts';
import { parseAccept, remember } from './request/accept.ts';
import {
  authenticate,
  NO_FAILED_AUTH_LIMIT,
  type FailedAuthLimiter,
} from './request/authenticate.ts';
import { withCsvFormat, isAcceptable, prefersCsv } from './request/format.ts';
import { UNEXPECTED_BODY, hasBody, URI_TOO_LONG, URL_LENGTH_MAX } from './request/check-message.ts';
import { createRequestIds } from './request/request-id.ts';
import { createRoutes } from './request/routes.ts';
import { splitUrl } from './request/split-url.ts';
import { createTargetParser, resolveParameters } from './request/request-target.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** Answers that are computed at the same time for one customer. */
const COMPUTED_MAX = 32;
/** Answers computed in a minute for a customer whose day or month is full, lest it is unchanged. */
const IN_VAIN_PER_MINUTE = 60;

export interface ReadApi {
  /** At once when the answer is in memory, else when it is computed. Never throws or rejects. */
  handle(request: ReadRequest): HttpResponse | Promise<HttpResponse>;
  /** A refusal in the documented form, for what goes wrong before a request is one. */
  refuse(refusal: Problem): HttpResponse;
  /** Resolves when no body is being encoded; for tests. */
  idle(): Promise<void>;
}

export interface ReadApiOptions {
  endpoints: readonly Endpoint[];
  db: Queryable;
  /** Where answers may be read that need not know the last seconds; `db` when left out. */
  reads?: Queryable;
  clock: Clock;
  random: Random;
  keys: KeyRing;
  cache: ResponseCache;
  dataSource: DataSource;
  log: { error(fields: object, message: string): void };
  /** Left out, everyone is admitted. */
  checkQuota?: CheckQuota;
  /** Who tries keys that are none; left out, they may. */
  failedAuthLimiter?: FailedAuthLimiter;
  /** Told of every answer to a good key, whatever it is; it must not throw. */
  onRequestCompleted?: (seen: CompletedRequest) => void;
}

/**
 * The rules of the read API, apart from any framework. The order of checks is a promise: path,
 * method, key present, key shape, key known, then what was asked, then the look-up.
 */
export function createReadApi(options: ReadApiOptions): ReadApi {
  const { clock, keys, cache, db, log, dataSource, checkQuota: admit = noQuota } = options;
  const { failedAuthLimiter: strangers = NO_FAILED_AUTH_LIMIT } = options;
  const observed = observer(options.onRequestCompleted, clock);
  const doorkeepers = { keys, strangers };
  const nextRequestId = createRequestIds(options.random);
  const targetOf = createTargetParser(createRoutes(options.endpoints));
  const { render, idle } = createResponseRenderer();
  const answers = createResponseLoader({ cache, db, reads: options.reads ?? db, dataSource });
  const computing = createConcurrencyLimit(COMPUTED_MAX);
  const inVain = minuteLimit(clock, IN_VAIN_PER_MINUTE);
  const acceptOf = remember(parseAccept);

  function handle(request: ReadRequest): HttpResponse | Promise<HttpResponse> {
    const requestId = nextRequestId();
    try {
      return answerOrRefuse(request, requestId);
    } catch (error) {
      return failed(error, requestId);
    }
  }

  function answerOrRefuse(
    request: ReadRequest,
    requestId: string,
  ): HttpResponse | Promise<HttpResponse> {
    const { url, method } = request;
    if (url.length > URL_LENGTH_MAX) return problemResponse(URI_TOO_LONG, requestId);
    const { urlWithoutKey: rest, key: keyText } = splitUrl(url);
    const target = targetOf(rest);
    if (target === null) return problemResponse(NO_PATH, requestId);
    if (method !== 'GET' && method !== 'HEAD') return otherMethod(method, requestId);

    const now = clock.now();
    const found = authenticate(doorkeepers, request, { cut: keyText, query: target.query, now });
    if ('refusal' in found) return problemResponse(found.refusal, requestId);
    const asked = { request, requestId, now, target, key: found.key };
    const arrival: RequestContext = { ...asked, location: null, datesValidUntil: null };
    return observed(arrival, answerArrival);
  }

  function answerArrival(arrival: RequestContext): HttpResponse | Promise<HttpResponse> {
    const { request, requestId, now } = arrival;
    const asked = readQuestion(arrival);
    if ('refusal' in asked) {
      return pay(arrival, 'minute', ({ headers }) =>
        problemResponse(withHeaders(asked.refusal, headers), requestId),
      );
    }
    const stored = answers.cached(asked, now);
    if (stored !== null) {
      return pay(arrival, costOf(request, stored), ({ headers }) =>
        render(arrival, stored, now, headers),
      );
    }
    // Who joins what is computed already asks no more of us.
    if (answers.isLoading(asked)) return compute(arrival, asked);
    const leave = computing.acquire(arrival.key.customerId);
    if (leave === null) return problemResponse(TOO_MANY_AT_ONCE, requestId);
    let late = false;
    try {
      const answer = compute(arrival, asked);
      late = answer instanceof Promise;
      return answer instanceof Promise ? answer.finally(leave) : answer;
    } finally {
      if (!late) leave();
    }
  }

  function compute(
    arrival: RequestContext,
    asked: ResolvedQuery,
  ): HttpResponse | Promise<HttpResponse> {
    const { request, requestId, now, target, key } = arrival;
    const { name } = target.endpoint;
    const isConditional = request.headers['if-none-match'] !== undefined;
    return pay(
      arrival,
      'all',
      (admitted) =>
        answers.load(asked, now).then(
          (outcome) => renderOutcome(arrival, outcome, admitted),
          (error: unknown) => failed(error, requestId, name, refunded(admitted)),
        ),
      // What the client holds may be unchanged, which costs the minute alone: only the answer tells.
      (refusal) =>
        isConditional && hasMinute(refusal) && inVain.take(key.customerId) === 0
          ? lookFirst(arrival, asked)
          : null,
    );
  }

  /** Pays for an answer when it is there: of who has a minute left, and no day or month. */
  function lookFirst(arrival: RequestContext, asked: ResolvedQuery): Promise<HttpResponse> {
    const { request, requestId, now, target } = arrival;
    return answers.load(asked, now).then(
      (outcome) =>
        pay(arrival, 'answer' in outcome ? costOf(request, outcome.answer) : 'all', (admitted) =>
          renderOutcome(arrival, outcome, admitted),
        ),
      (error: unknown) =>
        pay(arrival, 'minute', ({ headers }) =>
          failed(error, requestId, target.endpoint.name, headers),
        ),
    );
  }

  /** Takes what a request costs, then serves it; a full window refuses it, unless `orElse` answers. */
  function pay(
    arrival: RequestContext,
    cost: Cost,
    serve: (admitted: Admitted) => HttpResponse | Promise<HttpResponse>,
    orElse: (refusal: Problem) => Promise<HttpResponse> | null = () => null,
  ): HttpResponse | Promise<HttpResponse> {
    const { request, requestId, now, target, key } = arrival;
    const { endpoint, extraHeaders: notes } = target;
    const { remoteAddress } = request;

    function answer(admission: QuotaDecision): HttpResponse | Promise<HttpResponse> {
      if (admission.kind === 'refused') {
        const { refusal } = admission;
        return orElse(refusal) ?? problemResponse(withHeaders(refusal, notes ?? []), requestId);
      }
      if (notes === null) return serve(admission);
      const { headers, refundedHeaders = () => headers } = admission;
      return serve({
        ...admission,
        headers: [...headers, ...notes],
        refundedHeaders: () => [...refundedHeaders(), ...notes],
      });
    }

    const admission = admit({ key, endpoint, cost, now, remoteAddress });
    if (!(admission instanceof Promise)) return answer(admission);
    return admission
      .then(answer)
      .catch((error: unknown) => failed(error, requestId, endpoint.name));
  }

  /** What is asked, as far as the request itself tells. */
  function readQuestion(arrival: RequestContext): ResolvedQuery | { refusal: Problem } {
    const { request, target, now, key } = arrival;
    const { endpoint } = target;
    const { accept } = request.headers;
    const accepted = acceptOf((accept as string | undefined) ?? '');
    if (hasBody(request)) return { refusal: UNEXPECTED_BODY };
    const asked = prefersCsv(target, accepted) ? targetOf(withCsvFormat(target)) : target;
    const reading = resolveParameters(asked ?? target, now);
    if ('refusal' in reading) return reading;
    arrival.location = reading.location;
    arrival.datesValidUntil = reading.datesValidUntil;
    if (!isAcceptable(target, reading.values, accepted)) return { refusal: NO_FORMAT };
    return applyHistoryLimit({ endpoint, ...reading }, key.plan, now);
  }

  function renderOutcome(
    arrival: RequestContext,
    outcome: LoadResult,
    admitted: Admitted,
  ): HttpResponse {
    if ('answer' in outcome) {
      const { answer } = outcome;
      const costsAll = costOf(arrival.request, answer) === 'all';
      return render(arrival, answer, clock.now(), costsAll ? admitted.headers : refunded(admitted));
    }
    // A cursor that has lost its place: a fault of the request that only the data could show.
    const isFault = PROBLEMS[outcome.refusal.code].status === 400;
    const headers = isFault ? refunded(admitted) : admitted.headers;
    return problemResponse(withHeaders(outcome.refusal, headers), arrival.requestId);
  }

  function otherMethod(method: string, requestId: string): HttpResponse {
    if (method !== 'OPTIONS') return problemResponse(WRONG_METHOD, requestId);
    const headers = [...PREFLIGHT_HEADERS, ...COMMON_HEADERS, 'X-Request-Id', requestId];
    return { status: 204, headers, body: null };
  }

  function failed(
    error: unknown,
    requestId: string,
    endpoint?: string,
    extra: readonly string[] = [],
  ): HttpResponse {
    const unavailable = isStoreTrouble(error);
    log.error({ err: error, requestId, endpoint }, unavailable ? 'store not available' : 'failed');
    return problemResponse(withHeaders(unavailable ? UNAVAILABLE : INTERNAL, extra), requestId);
  }

  return {
    handle,
    refuse: (refusal) => problemResponse(refusal, nextRequestId()),
    idle,
  };
}

type Admitted = Extract<QuotaDecision, { kind: 'admitted' }>;

/** What is held already costs the minute alone. */
function costOf(request: ReadRequest, answer: CachedResponse): Cost {
  return isNotModified(request.headers, answer) ? 'minute' : 'all';
}

/** Whether a refusal for a full day or month leaves the minute open. */
function hasMinute({ code, members }: Problem): boolean {
  const violated = members?.['violatedPolicies'];
  return code === 'quota-exceeded' && Array.isArray(violated) && !violated.includes('minute');
}

/** Gives back what was taken; the headers tell of it. */
function refunded(admitted: Admitted): readonly string[] {
  admitted.refund();
  return admitted.refundedHeaders?.() ?? admitted.headers;
}

function withHeaders(refusal: Problem, extra: readonly string[]): Problem {
  return { ...refusal, headers: [...(refusal.headers ?? []), ...extra] };
}

const NO_PATH = problem('not-found', 'There is no such path; /docs lists those there are.');
const WRONG_METHOD = problem('method-not-allowed', 'This path takes GET, HEAD and OPTIONS.');
const NO_FORMAT = problem('not-acceptable', 'No format of this answer is in the header Accept.');
const TOO_MANY_AT_ONCE = problem(
  'temporary-reduced-capacity',
  `At most ${COMPUTED_MAX} answers are computed for one customer at the same time.`,
  { headers: ['Retry-After', '1'] },
);
const INTERNAL = problem('internal-error', 'The request failed; the instance names it in our log.');
const UNAVAILABLE = problem('data-unavailable', 'The data cannot be read now.');
