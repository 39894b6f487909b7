import type { IpoObservation, IpoStatus } from '../../datasets/ipos/observation.ts';
import { foldCompanyName } from '../../domain/company-name.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { addDays } from '../../domain/local-date.ts';
import { positiveOrNull, readText, readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readPriceRange } from '../kit/price-range.ts';
import { readRows } from '../kit/read-rows.ts';
import { refuseConflicts } from '../kit/refuse-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import type { Answer, Feed, FeedRequest, Parsed, ParsedRow, PlanContext } from '../provider.ts';
import { readList } from './answer-body.ts';
import { requireListedSymbol } from './listed-symbol.ts';
import { apiRequests, HOST } from './request.ts';

const DAYS_BACK = 30;
const DAYS_AHEAD = 45;

/** Which day the row's only date is, by its word. */
const DATE_OF: ReadonlyMap<string, [stage: IpoStatus, field: keyof IpoObservation]> = new Map([
  ['filed', ['filed', 'filedDate']],
  ['expected', ['expected', 'expectedDate']],
  ['priced', ['priced', 'pricedDate']],
  ['postponed', ['postponed', 'expectedDate']],
  ['withdrawn', ['withdrawn', 'withdrawnDate']],
]);

/** `ipos-calendar?from=&to=`: deals by the day of their last step; they have no key. */
export const iposCalendar: Feed = {
  name: 'ipos-calendar',
  datasets: ['ipos'],
  claims: (answer) => answer.host === HOST && /^\/stable\/ipos-calendar(\?|$)/.test(answer.path),
  parse,
  plan,
};

function parse(answer: Answer): Parsed {
  const rows = readList(answer);
  return refuseConflicts(readRows({ dataset: 'ipos', rows, subjectOf, read: readRow }));
}

function plan(context: PlanContext): FeedRequest[] {
  const { today } = context;
  const span = `from=${addDays(today, -DAYS_BACK)}&to=${addDays(today, DAYS_AHEAD)}`;
  return apiRequests(context, [`ipos-calendar?${span}`]);
}

/** `marketCap` is what the company would be worth, not what is sold: it is left aside. */
function readRow(row: JsonObject): ParsedRow {
  const companyName = required(readText(row, 'company'), 'company');
  const subject = required(foldCompanyName(companyName), 'company');
  const word = readText(row, 'actions') ?? '';
  const told = DATE_OF.get(word.toLowerCase());
  if (told === undefined) throw new RowError('unknown-word', `actions is ${word}`.slice(0, 100));
  const [stage, dateField] = told;
  const fields: IpoObservation = {
    dealKey: null,
    companyName,
    stage,
    symbol: readText(row, 'symbol') === null ? null : requireListedSymbol(row),
    exchange: readText(row, 'exchange'),
    [dateField]: required(readWith(row, 'date', parseIsoDate), 'date'),
    shares: positiveOrNull(parseJsonNumber(row['shares'] ?? null), 'shares'),
  };
  const { low, high } = readPrice(row);
  if (stage === 'priced' && low !== null && low === high) fields.price = low;
  else Object.assign(fields, { priceLow: low, priceHigh: high });
  return { dataset: 'ipos', subject, naturalKey: stage, fields };
}

/** A range is text; a single price comes as a number. */
function readPrice(row: JsonObject): ReturnType<typeof readPriceRange> {
  const value = row['priceRange'];
  if (typeof value !== 'number') return readPriceRange(row, 'priceRange');
  const price = positiveOrNull(parseJsonNumber(value), 'priceRange');
  return { low: price, high: price };
}

/** Whom a bad row is about; the data set goes by company names. */
function subjectOf(row: unknown): string | null {
  const name: unknown =
    typeof row === 'object' && row !== null ? Reflect.get(row, 'company') : null;
  return typeof name === 'string' ? foldCompanyName(name) : null;
}
