import { newYorkInstant } from '../../../src/domain/new-york.ts';
import { localDate } from '../../../src/domain/local-date.ts';
import { parseInstant } from '../../../src/platform/instant.ts';
import { createSourceResponse } from '../../../src/providers/source-response.ts';
import type { SourceResponse } from '../../../src/providers/provider.ts';

/** Returns an API response for this provider's tests. */
export function apiResponse(
  path: string,
  body: unknown,
  observedAt = '2026-11-20T22:00:00Z',
): SourceResponse {
  return createSourceResponse({
    url: `https://query2.finance.yahoo.com/${path}`,
    status: 200,
    contentType: 'application/json;charset=utf-8',
    observedAt: parseInstant(observedAt) ?? 0,
    text: JSON.stringify(body),
  });
}

/** Returns the epoch seconds for a minute of a New York day, by default the market open. */
export function timestamp(day: string, minuteOfDay = 9 * 60 + 30): number {
  return newYorkInstant(localDate(day), minuteOfDay) / 1000;
}
