import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readBody } from './response-body.ts';
import { readAggregates } from './read-aggregates.ts';
import { canonicalSymbol, isApiResponse } from './request.ts';

const PATH = /^\/v2\/aggs\/ticker\/([^/?]+)\/range\/(\d+)\/([a-z]+)\//;

/** `v2/aggs/ticker/{symbol}/range/1/day/…`: bars for one company. */
export const tickerBars: Feed = {
  name: 'ticker-bars',
  datasets: ['bars'],
  claims: (response) => isApiResponse(response, PATH),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const body = readBody(response);
  const [, requestedTicker = '', count, unit] = PATH.exec(response.path) ?? [];
  if (count !== '1' || unit !== 'day') {
    throw new SourceResponseError('unsupported', 'not-daily-bars', `bars of ${count} ${unit}`);
  }
  const symbol = canonicalSymbol(requestedTicker);
  if (symbol === null || canonicalSymbol(body['ticker']) !== symbol) {
    throw new SourceResponseError(
      'error-answer',
      'symbol-mismatch',
      `requested ${requestedTicker.slice(0, 30)}`,
    );
  }
  return readAggregates(
    body,
    () => symbol,
    () => symbol,
  );
}
