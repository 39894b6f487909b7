import { createSourceResponse } from '../../../src/providers/source-response.ts';
import {
  type SourceResponse,
  SourceResponseError,
  type Feed,
} from '../../../src/providers/provider.ts';

/** Answers of the API for the tests of this folder. */
export function apiResponse(
  path: string,
  body: unknown,
  status = 200,
  observedAt = 0,
): SourceResponse {
  return createSourceResponse({
    url: `https://financialmodelingprep.com/${path}`,
    status,
    contentType: 'application/json; charset=utf-8',
    observedAt,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Kind and reason of the refusal, or null when the answer is read. */
export function errorOf(feed: Feed, response: SourceResponse): string | null {
  try {
    feed.parse(response);
    return null;
  } catch (error) {
    if (error instanceof SourceResponseError) return `${error.kind} ${error.reason}`;
    throw error;
  }
}
