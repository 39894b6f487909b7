import type { ApiKey } from '../accounts/keys/api-key.ts';
import type { KeyRing } from '../accounts/keys/key-ring.ts';
import type { Endpoint, Values } from '../endpoints/endpoint.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Random } from '../platform/random.ts';
import type { Queryable } from '../storage/db.ts';
import { StoreUnavailableError } from '../storage/errors.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Answer, ReadRequest } from './answer/answer.ts';
import { matchesTag } from './answer/etag.ts';
import { COMMON_HEADERS, PREFLIGHT_HEADERS } from './answer/headers.ts';
import { createPacker } from './answer/packer.ts';
import { problemAnswer } from './answer/problem-answer.ts';
import { headOf, storeAnswer } from './answer/stored-answer.ts';
import type { DataSource, StoredAnswer } from './answer/stored-answer.ts';
import { problem } from './problems.ts';
import type { Problem } from './problems.ts';
import { acceptsJson, chooseEncoding, remember } from './request/accept.ts';
import { presentedKey } from './request/presented-key.ts';
import { createRequestIds } from './request/request-id.ts';
import { createRoutes } from './request/routes.ts';
import { splitUrl } from './request/split-url.ts';
import { createTargets, readingOf } from './request/target.ts';
import type { Target } from './request/target.ts';

export const URL_LENGTH_MAX = 2_048;

export interface ReadApi {
  /** At once when the answer is in memory, else when it is computed. Never throws or rejects. */
  handle(request: ReadRequest): Answer | Promise<Answer>;
  /** A refusal in the documented form, for what goes wrong before a request is one. */
  refuse(refusal: Problem): Answer;
  /** Resolves when no body is being encoded; for tests. */
  idle(): Promise<void>;
}

export interface ReadApiOptions {
  endpoints: readonly Endpoint[];
  db: Queryable;
  clock: Clock;
  random: Random;
  keys: KeyRing;
  cache: AnswerCache;
  dataSource: DataSource;
  log: { error(fields: object, message: string): void };
  /**
   * Where history windows and quotas stand: asked once all else is in order, before any look-up.
   * Its headers go with the answer, its refusal ends the request. Left out, everyone is admitted.
   */
  admit?: (visit: Visit) => { headers: readonly string[] } | { refusal: Problem };
}

export interface Visit {
  key: ApiKey;
  endpoint: Endpoint;
  values: Values;
  now: Instant;
  remoteAddress: string;
  /** The client holds this very answer already: it will be a 304. */
  isRevalidation: boolean;
}

/**
 * The rules of the read API, apart from any framework. The order of checks is a promise: path,
 * method, key present, key shape, key known, then what was asked, then the look-up.
 */
export function createReadApi(options: ReadApiOptions): ReadApi {
  const { clock, keys, cache, db, log, dataSource } = options;
  const nextRequestId = createRequestIds(options.random);
  const targetOf = createTargets(createRoutes(options.endpoints));
  const packer = createPacker();
  const acceptable = remember(acceptsJson);
  const encodingOf = remember(chooseEncoding);

  function handle(request: ReadRequest): Answer | Promise<Answer> {
    const requestId = nextRequestId();
    try {
      return answerOrRefuse(request, requestId);
    } catch (error) {
      return failed(error, requestId);
    }
  }

  function answerOrRefuse(request: ReadRequest, requestId: string): Answer | Promise<Answer> {
    const { url, method, headers } = request;
    if (url.length > URL_LENGTH_MAX) return problemAnswer(TOO_LONG, requestId);
    const { rest, key: keyText } = splitUrl(url);
    const target = targetOf(rest);
    if (target === null) return problemAnswer(NO_PATH, requestId);
    if (method !== 'GET' && method !== 'HEAD') return otherMethod(method, requestId);

    const now = clock.now();
    const found = findKey(headers, target, keyText, now);
    if ('refusal' in found) return problemAnswer(found.refusal, requestId);
    const refusal = refuseForm(headers);
    if (refusal !== null) return problemAnswer(refusal, requestId);
    const reading = readingOf(target, now);
    if ('refusal' in reading) return problemAnswer(reading.refusal, requestId);

    const { values, location } = reading;
    const stored = cache.get(location, now);
    let extra: readonly string[] = NO_HEADERS;
    if (options.admit !== undefined) {
      const admission = options.admit({
        key: found.key,
        endpoint: target.endpoint,
        values,
        now,
        remoteAddress: request.remoteAddress,
        isRevalidation: stored !== null && isHeld(headers, stored),
      });
      if ('refusal' in admission) return problemAnswer(admission.refusal, requestId);
      extra = admission.headers;
    }
    if (target.ignored !== null) extra = [...extra, 'X-Ignored-Parameters', target.ignored];
    if (stored !== null) return render(request, stored, now, requestId, extra);
    return compute(target.endpoint, values, location, now)
      .then((result) =>
        'answer' in result
          ? render(request, result.answer, clock.now(), requestId, extra)
          : problemAnswer(withHeaders(result.refusal, extra), requestId),
      )
      .catch((error: unknown) => failed(error, requestId, target.endpoint.name));
  }

  function otherMethod(method: string, requestId: string): Answer {
    if (method !== 'OPTIONS') return problemAnswer(WRONG_METHOD, requestId);
    const headers = [...PREFLIGHT_HEADERS, ...COMMON_HEADERS, 'X-Request-Id', requestId];
    return { status: 204, headers, body: null };
  }

  function findKey(
    headers: ReadRequest['headers'],
    target: Target,
    keyText: string | null,
    now: Instant,
  ): { key: ApiKey } | { refusal: Problem } {
    let text = keyText;
    const isPlain = headers.authorization === undefined && headers['x-api-key'] === undefined;
    if (text === null || !isPlain || target.query.some((pair) => pair.name === 'apikey')) {
      const cut = text === null ? [] : [{ name: 'apikey', value: text }];
      const presented = presentedKey(headers, [...cut, ...target.query]);
      if ('refusal' in presented) return presented;
      text = presented.text;
    }
    const key = keys.find(text);
    if (key === null) return BAD_KEY;
    if (key.expiresAt !== null && now >= key.expiresAt) return BAD_KEY;
    if (key.disabledAt !== null) return DISABLED_KEY;
    return key.suspendedAt === null ? { key } : SUSPENDED;
  }

  function refuseForm(headers: ReadRequest['headers']): Problem | null {
    if (headers['transfer-encoding'] !== undefined) return HAS_BODY;
    if (headers['content-length'] !== undefined && headers['content-length'] !== '0') {
      return HAS_BODY;
    }
    return headers.accept === undefined || acceptable(headers.accept as string) ? null : NO_FORMAT;
  }

  function compute(endpoint: Endpoint, values: Values, location: string, now: Instant) {
    const topics = endpoint.topics(values, now);
    const validUntil = endpoint.validUntil?.(values, now) ?? null;
    return cache.load<Problem>(location, { topics, validUntil }, async () => {
      const result = await endpoint.answer(values, { db, now });
      if (result.kind === 'unknown-symbol') return { refusal: unknownSymbol(result) };
      const { body: json, asOf, maxAgeSeconds } = result;
      const parts = { endpoint, values, dataSource, location, asOf, json, maxAgeSeconds };
      return { answer: storeAnswer(parts) };
    });
  }

  function render(
    request: ReadRequest,
    stored: StoredAnswer,
    now: Instant,
    requestId: string,
    extra: readonly string[],
  ): Answer {
    const acceptEncoding = request.headers['accept-encoding'];
    const encoding =
      acceptEncoding === undefined
        ? 'identity'
        : packer.choose(stored, encodingOf(acceptEncoding as string));
    const notModified = isHeld(request.headers, stored);
    const headers = headOf(stored, { encoding, notModified }, now).slice();
    headers.push('X-Request-Id', requestId);
    if (extra.length > 0) headers.push(...extra);
    if (notModified) return { status: 304, headers, body: null };
    const body = request.method === 'HEAD' ? null : (stored.encoded.get(encoding) ?? stored.body);
    return { status: 200, headers, body };
  }

  function failed(error: unknown, requestId: string, endpoint?: string): Answer {
    const unavailable = error instanceof StoreUnavailableError;
    log.error({ err: error, requestId, endpoint }, unavailable ? 'store not available' : 'failed');
    return problemAnswer(unavailable ? UNAVAILABLE : INTERNAL, requestId);
  }

  return {
    handle,
    refuse: (refusal) => problemAnswer(refusal, nextRequestId()),
    idle: () => packer.idle(),
  };
}

function isHeld(headers: ReadRequest['headers'], stored: StoredAnswer): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && matchesTag(ifNoneMatch as string, stored.tag);
}

function withHeaders(refusal: Problem, extra: readonly string[]): Problem {
  return { ...refusal, headers: [...(refusal.headers ?? []), ...extra] };
}

function unknownSymbol(result: {
  symbol: string;
  suggestions: string[];
  successorSymbol: string | null;
}): Problem {
  const { symbol, suggestions, successorSymbol } = result;
  const detail =
    successorSymbol === null
      ? `No security has the symbol ${symbol}.`
      : `The symbol ${symbol} was given up; its successor is ${successorSymbol}.`;
  const members = { symbol, suggestions: suggestions.slice(0, 5), successorSymbol };
  return problem('unknown-symbol', detail, { members });
}

const NO_HEADERS: readonly string[] = [];
const TOO_LONG = problem('uri-too-long', 'Path and query together may have 2,048 characters.');
const NO_PATH = problem('not-found', 'There is no such path; /docs lists those there are.');
const WRONG_METHOD = problem('method-not-allowed', 'This path takes GET, HEAD and OPTIONS.');
const NO_FORMAT = problem('not-acceptable', 'The answer is application/json.');
const HAS_BODY = problem('invalid-parameter', 'A read takes no request body.', {
  members: { parameter: 'body' },
  headers: ['Connection', 'close'],
});
/** One body for malformed, unknown, revoked and expired: it tells a guesser nothing. */
const BAD_KEY = { refusal: problem('invalid-api-key', 'The API key is not valid.') };
const DISABLED_KEY = { refusal: problem('api-key-disabled', 'The API key is disabled.') };
const SUSPENDED = { refusal: problem('customer-suspended', 'The account is suspended.') };
const INTERNAL = problem('internal-error', 'The request failed; the instance names it in our log.');
const UNAVAILABLE = problem('data-unavailable', 'The data cannot be read now.');
