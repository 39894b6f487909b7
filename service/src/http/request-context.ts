import type { ApiKey } from '../accounts/keys/api-key.ts';
import type { Instant } from '../platform/instant.ts';
import { redactedUrl, redactKeys } from './request/redact-url.ts';
import type { RequestTarget } from './request/request-target.ts';
import type { HttpResponse, ReadRequest } from './response/http-response.ts';

/** An authenticated request to a known path. */
export interface RequestContext {
  request: ReadRequest;
  requestId: string;
  now: Instant;
  target: RequestTarget;
  key: ApiKey;
  /** The canonical URL; null until the parameters have been parsed. */
  location: string | null;
  /**
   * Time at which a relative date such as `today` changes its meaning; null if the request has
   * none.
   */
  datesValidUntil: Instant | null;
}

/** An authenticated request and its outcome. */
export interface CompletedRequest {
  key: ApiKey;
  method: string;
  /** Name of the endpoint. */
  endpoint: string;
  /** The canonical URL, or the URL as received if its parameters were rejected. */
  path: string;
  status: number;
  at: Instant;
  durationMs: number;
  requestId: string;
}

export function completedRequest(
  context: RequestContext,
  response: HttpResponse,
  durationMs: number,
): CompletedRequest {
  const { key, request, target, location, now, requestId } = context;
  return {
    key,
    method: request.method,
    endpoint: target.endpoint.name,
    path: location === null ? redactedUrl(target) : redactKeys(location),
    status: response.status,
    at: now,
    durationMs,
    requestId,
  };
}
