import { type Answer, AnswerError, type Feed, type Parsed } from '../provider.ts';
import { readBody } from './response-body.ts';
import { readAggregates } from './read-aggregates.ts';
import { canonicalSymbol, isOfApi } from './request.ts';

const PATH = /^\/v2\/aggs\/ticker\/([^/?]+)\/range\/(\d+)\/([a-z]+)\//;

/** `v2/aggs/ticker/{symbol}/range/1/day/…`: bars of one company. */
export const tickerBars: Feed = {
  name: 'ticker-bars',
  datasets: ['bars'],
  claims: (answer) => isOfApi(answer, PATH),
  parse,
};

function parse(answer: Answer): Parsed {
  const body = readBody(answer);
  const [, asked = '', count, unit] = PATH.exec(answer.path) ?? [];
  if (count !== '1' || unit !== 'day') {
    throw new AnswerError('unsupported', 'not-daily-bars', `bars of ${count} ${unit}`);
  }
  const symbol = canonicalSymbol(asked);
  if (symbol === null || canonicalSymbol(body['ticker']) !== symbol) {
    throw new AnswerError('error-answer', 'symbol-mismatch', `asked for ${asked.slice(0, 30)}`);
  }
  return readAggregates(
    body,
    () => symbol,
    () => symbol,
  );
}
