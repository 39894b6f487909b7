import { parseInstant } from '../../../src/platform/instant.ts';
import { createSourceResponse } from '../../../src/providers/source-response.ts';
import {
  type Feed,
  type SourceResponse,
  SourceResponseError,
} from '../../../src/providers/provider.ts';

/** Returns an API response for this provider's tests. */
export function apiResponse(path: string, body: unknown, observedAt?: string): SourceResponse {
  return createSourceResponse({
    url: `https://api.nasdaq.com/api/${path}`,
    status: 200,
    contentType: 'application/json; charset=utf-8',
    observedAt: observedAt === undefined ? 0 : (parseInstant(observedAt) ?? 0),
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function envelope(data: unknown): object {
  return { data, message: null, status: { rCode: 200, bCodeMessage: null } };
}

/** Returns the error's kind and reason, or null if the response can be parsed. */
export function errorOf(feed: Feed, response: SourceResponse): string | null {
  try {
    feed.parse(response);
    return null;
  } catch (error) {
    if (error instanceof SourceResponseError) return `${error.kind} ${error.reason}`;
    throw error;
  }
}
