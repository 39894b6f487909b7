import type {
  DividendFrequency,
  DividendObservation,
} from '../../datasets/dividends/observation.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { addDays } from '../../domain/local-date.ts';
import { readRows, withTruncatedRow } from '../kit/read-rows.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import { positiveOrNull, readText, readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import { withCompleteRange } from '../kit/complete-range.ts';
import type {
  Feed,
  FeedRequest,
  ParsedRow,
  ParseResult,
  PlanContext,
  SourceResponse,
} from '../provider.ts';
import { readList } from './response-body.ts';
import { listedEntityKey, requireListedSymbol } from './listed-symbol.ts';
import { apiRequests, HOST, ROWS_MAX } from './request.ts';

/**
 * Each request covers a week. The few weeks that reach the maximum number of rows are marked as
 * truncated.
 */
const SPAN_DAYS = 7;
const DAYS_AHEAD = 90;

const FREQUENCIES: ReadonlyMap<string | null, DividendFrequency | null> = new Map([
  [null, null],
  ['weekly', 'weekly'],
  ['monthly', 'monthly'],
  ['quarterly', 'quarterly'],
  ['semi-annual', 'semi-annual'],
  ['annual', 'annual'],
  ['irregular', 'irregular'],
  ['bi-weekly', 'irregular'],
  ['semi-monthly', 'irregular'],
  ['bi-monthly', 'irregular'],
  ['trimester', 'irregular'],
  ['other', 'irregular'],
  ['special', 'none'],
]);

/** `dividends-calendar?from=&to=`: dividends worldwide, by ex-date. */
export const dividendsCalendar: Feed = {
  name: 'dividends-calendar',
  datasets: ['dividends'],
  claims: (response) =>
    response.host === HOST &&
    /^\/(stable\/dividends-calendar|api\/v3\/stock_dividend_calendar)(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const rows = readList(response);
  const parsed = readRows({
    dataset: 'dividends',
    rows,
    entityKeyOf: listedEntityKey,
    read: readRow,
  });
  const result = withNumberedDividends(parsed);
  const withRange = withCompleteRange(result, response, {
    dataset: 'dividends',
    rowsMax: ROWS_MAX,
  });
  if (rows.length < ROWS_MAX) return withRange;
  const detail = `a response has at most ${ROWS_MAX} rows: some rows of this range may be missing`;
  return withTruncatedRow(withRange, { dataset: 'dividends', detail });
}

/** Uses the declared amount, not the split-adjusted one. Rows have no currency. */
function readRow(row: JsonObject): ParsedRow<'dividends'> {
  const symbol = requireListedSymbol(row);
  const exDate = required(readWith(row, 'date', parseIsoDate), 'date');
  const fields: DividendObservation = {
    symbol,
    exDate,
    recordDate: readWith(row, 'recordDate', parseIsoDate),
    paymentDate: readWith(row, 'paymentDate', parseIsoDate),
    declarationDate: readWith(row, 'declarationDate', parseIsoDate),
    amount: positiveOrNull(parseJsonNumber(row['dividend'] ?? null), 'dividend'),
  };
  if ('frequency' in row) {
    const word = readText(row, 'frequency')?.toLowerCase() ?? null;
    const frequency = FREQUENCIES.get(word);
    if (frequency === undefined) throw new RowError('unknown-word', `frequency is ${word}`);
    fields.frequency = frequency;
    if (word === 'special') fields.type = 'special';
  }
  return { dataset: 'dividends', entityKey: symbol, naturalKey: exDateKey(exDate), fields };
}

/** Plans the nearest dates first. */
function plan(context: PlanContext): FeedRequest[] {
  const startDates = Array.from({ length: Math.ceil((DAYS_AHEAD + 1) / SPAN_DAYS) }, (_, week) =>
    addDays(context.today, week * SPAN_DAYS),
  );
  return apiRequests(
    context,
    startDates.map((from) => `dividends-calendar?from=${from}&to=${addDays(from, SPAN_DAYS - 1)}`),
  );
}
