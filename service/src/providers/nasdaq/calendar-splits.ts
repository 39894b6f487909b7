import { daily } from '../../domain/market/due-times.ts';
import type { SplitObservation } from '../../datasets/splits/observation.ts';
import { parseSlashDate } from '../../domain/dirty-date.ts';
import { addDays, type LocalDate, parseLocalDate, weekdayOf } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { SplitRatio } from '../../domain/share-splits.ts';
import { entityKeyOrNull, readText, readWith, required, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, PlanContext, SourceResponse } from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

const WEEKDAYS = 3;

/**
 * `calendar/splits?date=`: splits and stock dividends. Only those that have taken effect are read:
 * an announced split may be postponed, and no price may be adjusted before.
 */
export const calendarSplits: Feed = {
  name: 'calendar-splits',
  datasets: ['splits'],
  ranks: { splits: 'provisional' },
  schedule: [{ name: 'sweep', times: daily('05:30'), scope: 'all' }],
  claims: (response) =>
    response.host === HOST && /^\/api\/calendar\/splits(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const content = openEnvelope(response);
  const parsed = readRows({
    dataset: 'splits',
    rows: Array.isArray(content) ? content : rowsOf(content),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: readRow,
  });
  const until = lastDayOf(response);
  const rows = parsed.rows.filter(({ fields }) => fields.date <= until);
  return { ...parsed, rows };
}

function readRow(row: JsonObject): ParsedRow<'splits'> {
  const symbol = requireSymbol(row, 'symbol');
  const date = required(readWith(row, 'executionDate', parseSlashDate), 'executionDate');
  const ratio = parseRatio(required(readText(row, 'ratio'), 'ratio'));
  const fields: SplitObservation = { symbol, date, ...ratio };
  return { dataset: 'splits', entityKey: symbol, naturalKey: date, fields };
}

/** Returns the day of the response; without one, the requested day, or none at all. */
function lastDayOf({ observedAt, url }: SourceResponse): LocalDate | '' {
  if (observedAt > 0) return newYorkDate(observedAt);
  return parseLocalDate(new URL(url).searchParams.get('date') ?? '') ?? '';
}

const TERM = String.raw`\d{1,6}(?:\.\d{1,6})?`;
const RATIO = new RegExp(String.raw`^(${TERM})\s*:\s*(${TERM})$`);
const PERCENT = new RegExp(String.raw`^(${TERM})\s*%$`);

/**
 * Reads new shares per old share: `1 : 25` is a reverse split, `1.5 : 1` gives three shares for two,
 * and `5%` is a stock dividend of one share for twenty. Throws `bad-ratio` for other text and for a
 * ratio of one.
 */
export function parseRatio(text: string): SplitRatio {
  const [, left, right] = RATIO.exec(text.trim()) ?? [];
  const percent = PERCENT.exec(text.trim())?.[1];
  const ratio =
    left !== undefined && right !== undefined
      ? reduce(toMillionths(left), toMillionths(right))
      : percent === undefined
        ? null
        : reduce(100_000_000n + toMillionths(percent), 100_000_000n);
  if (ratio === null || ratio.numerator === ratio.denominator) {
    throw new RowError('bad-ratio', `the ratio is ${JSON.stringify(text.slice(0, 40))}`);
  }
  return ratio;
}

function toMillionths(term: string): bigint {
  const [whole = '', fraction = ''] = term.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** Returns the ratio in lowest terms; null if a term is zero or larger than a share count can be. */
function reduce(numerator: bigint, denominator: bigint): SplitRatio | null {
  if (numerator === 0n || denominator === 0n) return null;
  const divisor = commonDivisor(numerator, denominator);
  const ratio = {
    numerator: Number(numerator / divisor),
    denominator: Number(denominator / divisor),
  };
  return Math.max(ratio.numerator, ratio.denominator) <= TERM_MAX ? ratio : null;
}

const TERM_MAX = 1_000_000;

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : commonDivisor(b, a % b);
}

/** Plans today and the weekdays before it, whose splits may have been announced late. */
function plan({ today }: PlanContext): ReturnType<NonNullable<Feed['plan']>> {
  return Array.from({ length: 7 }, (_, days) => addDays(today, -days))
    .filter((date) => weekdayOf(date) >= 1 && weekdayOf(date) <= 5)
    .slice(0, WEEKDAYS)
    .map((date) => apiRequest(`calendar/splits?date=${date}`));
}
