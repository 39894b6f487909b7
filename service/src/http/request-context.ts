import type { ApiKey } from '../accounts/keys/api-key.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { HttpResponse, ReadRequest } from './response/http-response.ts';
import { redactedUrl, redactKeys } from './request/redact-url.ts';
import type { RequestTarget } from './request/request-target.ts';

/** A request whose path and key are in order. */
export interface RequestContext {
  request: ReadRequest;
  requestId: string;
  now: Instant;
  target: RequestTarget;
  key: ApiKey;
  /** What is asked; null until it was read. */
  location: string | null;
  /** When a word in it such as `today` means another day; null when it has none. */
  datesValidUntil: Instant | null;
}

/** A request with a good key, and how it was answered. */
export interface CompletedRequest {
  key: ApiKey;
  method: string;
  /** Its name. */
  endpoint: string;
  /** What was asked, in its canonical form; of a request that was refused for its form, as it came. */
  path: string;
  status: number;
  at: Instant;
  durationMs: number;
  requestId: string;
}

type Answering = (arrival: RequestContext) => HttpResponse | Promise<HttpResponse>;

/** Answers arrivals as told, and tells of each when it is answered. */
export function observer(
  observe: ((seen: CompletedRequest) => void) | undefined,
  clock: Clock,
): (arrival: RequestContext, answering: Answering) => HttpResponse | Promise<HttpResponse> {
  if (observe === undefined) return (arrival, answering) => answering(arrival);
  return (arrival, answering) => {
    const startedMs = clock.monotonicMs();
    const told = (answer: HttpResponse): HttpResponse => {
      observe(seenOf(arrival, answer, clock.monotonicMs() - startedMs));
      return answer;
    };
    const answer = answering(arrival);
    return answer instanceof Promise ? answer.then(told) : told(answer);
  };
}

function seenOf(
  arrival: RequestContext,
  answer: HttpResponse,
  durationMs: number,
): CompletedRequest {
  const { key, request, target, location, now, requestId } = arrival;
  return {
    key,
    method: request.method,
    endpoint: target.endpoint.name,
    path: location === null ? redactedUrl(target) : redactKeys(location),
    status: answer.status,
    at: now,
    durationMs,
    requestId,
  };
}
