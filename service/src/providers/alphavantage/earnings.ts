import { onTradingDays } from '../../domain/market/due-times.ts';
import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parsePlain, unlessStandIn } from '../../domain/dirty-number.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import { observationDate, withoutZeroSentinels } from '../kit/zero-sentinels.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readObject } from './response-body.ts';
import {
  apiRequests,
  isFunctionResponse,
  listedSymbol,
  requireRequestedSymbol,
  sourceSymbol,
} from './request.ts';
import { readSession } from './earnings-calendar.ts';

/** A free key allows 25 requests a day; the rest are reserved for the calendar and the operator. */
const COMPANIES_MAX = 20;

/**
 * `EARNINGS&symbol=`: the result, consensus and report date for every quarter in the last twenty
 * years. Annual figures are ignored because the latest one is a running total.
 */
export const earnings: Feed = {
  name: 'earnings',
  datasets: ['earnings'],
  ranks: {
    'earnings.date': ['history', 20],
    'earnings.time': ['vendor', 50],
    'earnings.figures': ['secondary', 30],
  },
  schedule: [{ name: 'evening', times: onTradingDays('21:30'), scope: 'reporters' }],
  claims: (response) => isFunctionResponse(response, 'EARNINGS'),
  parse,
  plan: (context) =>
    apiRequests(
      context,
      (context.symbolsAwaitingResult ?? [])
        .slice(0, COMPANIES_MAX)
        .map((symbol) => `function=EARNINGS&symbol=${sourceSymbol(symbol)}`),
    ),
};

/** The source returns `{}` for an unknown symbol. */
function parse(response: SourceResponse): ParseResult {
  const body = readObject(response);
  if (Object.keys(body).length === 0) {
    throw new SourceResponseError('not-found', 'unknown-symbol', 'an empty object');
  }
  const symbol = requireRequestedSymbol(response);
  const responseSymbol = body['symbol'];
  if (typeof responseSymbol !== 'string' || listedSymbol(responseSymbol) !== symbol) {
    throw new SourceResponseError('error-answer', 'symbol-mismatch', `requested ${symbol}`);
  }
  const quarters: unknown = body['quarterlyEarnings'];
  if (!Array.isArray(quarters)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no quarterlyEarnings');
  }
  const today = observationDate(response);
  return readRows({
    dataset: 'earnings',
    rows: quarters,
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol, today),
  });
}

/**
 * Reads a reported quarter. If the report date of a very old quarter is unknown, the source gives
 * the last day of the quarter instead. No company reports on that day, so the row is rejected.
 */
function readRow(row: JsonObject, symbol: string, today: LocalDate | null): ParsedRow<'earnings'> {
  const end = required(readWith(row, 'fiscalDateEnding', parseIsoDate), 'fiscalDateEnding');
  const date = required(readWith(row, 'reportedDate', parseIsoDate), 'reportedDate');
  const rawFields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    date,
    time: 'reportTime' in row ? readSession(row, 'reportTime') : 'time-not-supplied',
    dateStatus: 'confirmed',
    fiscalPeriodEnd: end,
    fiscalPeriodPrecision: 'month',
    eps: unlessStandIn(readWith(row, 'reportedEPS', parsePlain)),
    epsEstimate: unlessStandIn(readWith(row, 'estimatedEPS', parsePlain)),
  };
  const fields = withoutZeroSentinels(rawFields, today);
  if (fields.eps === null) throw new RowError('no-result-yet', 'the quarter has no result');
  if (date <= end) throw new RowError('date-before-period-end', `${date} is not after ${end}`);
  const naturalKey = periodLabel(end, 'month');
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}
