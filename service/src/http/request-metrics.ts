import type { RequestListener } from 'node:http';
import type { Metrics } from '../platform/metrics.ts';
import type { HttpResponse } from './response/http-response.ts';
import type { CompletedRequest } from './request-context.ts';
import type { ReadApi } from './read-api.ts';

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Request counts and durations. */
export interface RequestMetrics {
  /** Returns a function that counts each authenticated request, then passes it on to `next`. */
  counting(next: (request: CompletedRequest) => void): (request: CompletedRequest) => void;
  readApi(api: ReadApi): ReadApi;
  pages(listener: RequestListener): RequestListener;
}

export function instrumentRequests(metrics: Metrics): RequestMetrics {
  const requests = metrics.counter({
    name: 'afterbell_requests_total',
    help: 'Authenticated requests by endpoint and status class (2xx to 5xx).',
    labels: ['endpoint', 'status'],
  });
  const seconds = metrics.histogram({
    name: 'afterbell_request_seconds',
    help: 'Time until the response to an authenticated request was ready, in seconds.',
    boundsSeconds: BOUNDS_SECONDS,
  });
  const responses = metrics.counter({
    name: 'afterbell_http_answers_total',
    help: 'All responses by status class. part is read (/v1, authenticated or not) or pages.',
    labels: ['part', 'status'],
  });

  function count(response: HttpResponse): HttpResponse {
    responses.inc({ part: 'read', status: statusClass(response.status) });
    return response;
  }

  return {
    counting: (next) => (request) => {
      requests.inc({ endpoint: request.endpoint, status: statusClass(request.status) });
      seconds.observe(request.durationMs / 1_000);
      next(request);
    },
    readApi: (api) => ({
      handle(request) {
        const response = api.handle(request);
        return response instanceof Promise ? response.then(count) : count(response);
      },
      reject: (refusal) => api.reject(refusal),
      idle: () => api.idle(),
    }),
    pages: (listener) => (request, response) => {
      response.once('finish', () => {
        responses.inc({ part: 'pages', status: statusClass(response.statusCode) });
      });
      listener(request, response);
    },
  };
}

function statusClass(status: number): string {
  return `${Math.trunc(status / 100)}xx`;
}
