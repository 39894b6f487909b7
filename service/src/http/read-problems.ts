import { WorkCancelledError } from '../platform/fair-queue.ts';
import type { Log } from '../platform/log.ts';
import { isStoreTrouble } from '../storage/errors.ts';
import { type Problem, withHeaders } from './problems.ts';
import { DATA_UNAVAILABLE, INTERNAL_ERROR, METHOD_NOT_ALLOWED } from './read-refusals.ts';
import { COMMON_HEADERS, PREFLIGHT_HEADERS } from './response/headers.ts';
import type { HttpResponse } from './response/http-response.ts';
import { problemResponse } from './response/problem-response.ts';

/** Status in the request log of a request whose client had gone before its response was computed. */
const CLIENT_GONE_STATUS = 499;

/** Renders the responses of the read API to requests that it does not serve. */
export class ReadProblems {
  readonly #publicUrl: string | null;
  readonly #log: Pick<Log, 'error'>;

  constructor(options: { publicUrl?: string | null; log: Pick<Log, 'error'> }) {
    this.#publicUrl = options.publicUrl ?? null;
    this.#log = options.log;
  }

  render(reason: Problem, requestId: string): HttpResponse {
    return problemResponse(reason, requestId, this.#publicUrl);
  }

  /** Answers `OPTIONS`, and rejects the methods that the read API does not support. */
  otherMethod(method: string, requestId: string): HttpResponse {
    if (method !== 'OPTIONS') return this.render(METHOD_NOT_ALLOWED, requestId);
    const headers = [...PREFLIGHT_HEADERS, ...COMMON_HEADERS, 'X-Request-Id', requestId];
    return { status: 204, headers, body: null };
  }

  /** Logs an error and returns its response. The client of a cancelled computation has gone. */
  failure(
    error: unknown,
    context: { requestId: string; endpoint?: string },
    headers: readonly string[] = [],
  ): HttpResponse {
    const { requestId, endpoint } = context;
    if (error instanceof WorkCancelledError) {
      return { status: CLIENT_GONE_STATUS, headers: [], body: null };
    }
    const isUnavailable = isStoreTrouble(error);
    this.#log.error(
      { event: 'http.request_failed', err: error, requestId, endpoint },
      isUnavailable ? 'request failed, store unavailable' : 'request failed',
    );
    const refusal = isUnavailable ? DATA_UNAVAILABLE : INTERNAL_ERROR;
    return this.render(withHeaders(refusal, headers), requestId);
  }
}
