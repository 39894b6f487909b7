import { daily } from '../../domain/market/due-times.ts';
import type { CalendarObservation, SessionMarker } from '../../datasets/earnings/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parsePlain, unlessStandIn } from '../../domain/dirty-number.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import { symbolKind } from '../../domain/symbol.ts';
import { csvHeader, readCsv } from '../kit/csv.ts';
import { readRaw, readText, readWith, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { rejectErrorResponse } from './response-body.ts';
import { apiRequests, isFunctionResponse, listedSymbol } from './request.ts';

const COLUMNS = ['symbol', 'name', 'reportDate', 'fiscalDateEnding', 'estimate', 'currency'];

/** `EARNINGS_CALENDAR`: a table of upcoming reports for all companies over three months. */
export const earningsCalendar: Feed = {
  name: 'earnings-calendar',
  datasets: ['earnings'],
  ranks: {
    'earnings.date': 'estimated',
    'earnings.time': ['vendor', 40],
    'earnings.figures': ['secondary', 40],
  },
  schedule: [
    // A free key allows 25 requests per day: the calendar uses one of them, and results are fetched
    // only once.
    { name: 'nightly', times: daily('04:30'), scope: 'all' },
  ],
  claims: (response) => isFunctionResponse(response, 'EARNINGS_CALENDAR'),
  parse,
  plan: (context) => apiRequests(context, ['function=EARNINGS_CALENDAR&horizon=3month']),
};

/** Accepts only tables with the expected header. */
function parse(response: SourceResponse): ParseResult {
  rejectErrorResponse(response);
  const header = csvHeader(response.text);
  if (!COLUMNS.every((name) => header.includes(name))) {
    throw new SourceResponseError(
      'error-answer',
      'unexpected-header',
      header.join(',').slice(0, 100),
    );
  }
  const { rows } = readCsv(response.text);
  // A three-month calendar without any reports is an error, but a single company may have no report
  // scheduled.
  if (rows.length === 0 && !new URL(response.url).searchParams.has('symbol')) {
    throw new SourceResponseError('error-answer', 'no-rows', 'the table is empty');
  }
  return readRows({
    dataset: 'earnings',
    rows,
    entityKeyOf,
    read: readRow,
  });
}

/**
 * Rows are keyed by fiscal quarter. Estimates in other currencies are ignored, since one report
 * combines figures from several sources. Rows for preferred shares and units are rejected, since
 * they repeat their company's reports under their own symbols.
 */
function readRow(row: JsonObject): ParsedRow<'earnings'> {
  const symbol = entityKeyOf(row);
  if (symbol === null) throw new RowError('bad-symbol', 'not a U.S. listing');
  if (symbolKind(symbol) !== 'share')
    throw new RowError('not-a-share', `${symbol} is not an ordinary share`);
  const end = required(readWith(row, 'fiscalDateEnding', parseIsoDate), 'fiscalDateEnding');
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    date: required(readWith(row, 'reportDate', parseIsoDate), 'reportDate'),
    time: readMarker(row),
    // Most future dates are extrapolated from last year, and the table does not say which.
    dateStatus: 'projected',
    fiscalPeriodEnd: end,
    fiscalPeriodPrecision: 'month',
  };
  const name = readText(row, 'name');
  // The source repeats the ticker if it has no name.
  if (name !== readRaw(row, 'symbol')) fields.name = name;
  if (readText(row, 'currency') === 'USD')
    fields.epsEstimate = unlessStandIn(readWith(row, 'estimate', parsePlain));
  const naturalKey = periodLabel(end, 'month');
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

function readMarker(row: JsonObject): SessionMarker {
  return 'timeOfTheDay' in row ? readSession(row, 'timeOfTheDay') : 'time-not-supplied';
}

function entityKeyOf(row: unknown): string | null {
  const text = isJsonObject(row) ? row['symbol'] : null;
  return typeof text === 'string' ? listedSymbol(text) : null;
}

const MARKERS: ReadonlyMap<string | null, SessionMarker> = new Map([
  [null, 'time-not-supplied'],
  ['pre-market', 'time-pre-market'],
  ['post-market', 'time-after-hours'],
]);

/** Reads `pre-market` or `post-market`; the column may be empty. */
export function readSession(row: JsonObject, key: string): SessionMarker {
  const word = readText(row, key);
  const marker = MARKERS.get(word);
  if (marker !== undefined) return marker;
  throw new RowError('bad-marker', `${key} is ${JSON.stringify(word)}`.slice(0, 100));
}
