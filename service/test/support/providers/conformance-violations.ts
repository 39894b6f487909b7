import { datasets } from '../../../src/datasets/registry.gen.ts';
import type { BarObservation } from '../../../src/datasets/bars/observation.ts';
import { normalizeDecimal } from '../../../src/domain/decimal.ts';
import { isEmptyMark } from '../../../src/domain/dirty-value-error.ts';
import { isCanonicalSymbol } from '../../../src/domain/symbol.ts';
import { isStorableText } from '../../../src/providers/kit/clean-text.ts';
import type {
  BadRow,
  Feed,
  ParsedRow,
  ParseResult,
  QuoteTick,
} from '../../../src/providers/provider.ts';

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/**
 * Fields whose values may look like placeholders: `NA` and `NAN` are real tickers, `NA` is also
 * Namibia, and a special dividend has the frequency `none`.
 */
const CODED_KEYS: ReadonlySet<string> = new Set([
  'symbol',
  'tickers',
  'entityKey',
  'countryCode',
  'frequency',
]);

/** Describes each violation in a parsed response. Returns an empty list if there is none. */
export function findViolations(feed: Feed, parsed: ParseResult): string[] {
  return [
    ...parsed.rows.flatMap((row) => findRowViolations(feed, row)),
    ...parsed.bad.flatMap((row) => findBadRowViolations(feed, row)),
    ...findBarListViolations(feed, parsed.bars),
  ];
}

function findBarListViolations(feed: Feed, bars: ParseResult['bars']): string[] {
  if (bars === undefined) return [];
  const violations = feed.datasets.includes('bars') ? [] : ['undeclared data set bars'];
  return [...violations, ...bars.rows.flatMap((bar) => findBarViolations(bar, bars.list))];
}

function findBarViolations(bar: BarObservation, list: string | null): string[] {
  const { symbol, date, open, high, low, close, previousClose, volume } = bar;
  const violations = isCanonicalSymbol(symbol) ? [] : [`bar for symbol ${symbol}`];
  const prices = [open, high, low, close, previousClose].filter((price) => price !== null);
  violations.push(
    ...prices.filter((price) => !isAmount(price)).map((price) => `bar with price ${price}`),
  );
  if (volume !== null && !(Number.isSafeInteger(volume) && volume >= 0)) {
    violations.push(`bar with volume ${volume}`);
  }
  return (date === null) === (list === null)
    ? [...violations, 'exactly one of list and date must be null']
    : violations;
}

function findRowViolations(feed: Feed, row: ParsedRow): string[] {
  const violations: string[] = [];
  if (!feed.datasets.includes(row.dataset)) violations.push(`undeclared data set ${row.dataset}`);
  if (!isSubject(row.dataset, row.entityKey))
    violations.push(`entity key ${row.entityKey} is not canonical`);
  if (row.naturalKey === '' || row.naturalKey.length > 200) violations.push('no valid natural key');
  return [
    ...violations,
    ...findValueViolations(row.fields, 'fields'),
    ...findQuoteViolations(row.quote),
  ];
}

function findBadRowViolations(feed: Feed, row: BadRow): string[] {
  const violations: string[] = [];
  if (!feed.datasets.includes(row.dataset)) violations.push(`undeclared data set ${row.dataset}`);
  if (!KEBAB_CASE.test(row.reason)) violations.push(`reason ${row.reason} is not in kebab case`);
  if (row.entityKey !== null && !isSubject(row.dataset, row.entityKey))
    violations.push(`invalid entity key ${row.entityKey}`);
  if (!isStorable([row.row, row.detail])) violations.push('an unstorable invalid row');
  return violations;
}

function findQuoteViolations(quote: QuoteTick | undefined): string[] {
  if (quote === undefined) return [];
  const amounts = [quote.price, quote.marketCap].filter((value) => typeof value === 'string');
  const invalidAmounts = amounts.filter((value) => !isAmount(value));
  const violations = invalidAmounts.map((value) => `quote with amount ${value}`);
  return isCanonicalSymbol(quote.symbol)
    ? violations
    : [...violations, `quote for symbol ${quote.symbol}`];
}

/** Checks whether the value is positive decimal text in normal form. */
function isAmount(value: string): boolean {
  return normalizeDecimal(value) === value && value !== '0' && !value.startsWith('-');
}

/** Finds values that JSON and the store can't keep, and placeholders for "no value". */
function findValueViolations(value: unknown, key: string): string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${key} is ${value}`];
  if (typeof value === 'string') {
    if (!isStorableText(value)) return [`${key} cannot be stored`];
    return isEmptyMark(value) && !CODED_KEYS.has(key) ? [`${key} is a placeholder: ${value}`] : [];
  }
  if (Array.isArray(value))
    return value.flatMap((inner: unknown) => findValueViolations(inner, key));
  if (typeof value !== 'object') return [`${key} is a ${typeof value}`];
  return Object.entries(value).flatMap(([name, inner]) => findValueViolations(inner, name));
}

/** Returns whether all text in the value can be stored, the only requirement for invalid rows. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner));
}

/**
 * Checks the subject: a symbol or filer for data sets about securities, and any short text for
 * other data sets.
 */
function isSubject(dataset: string, subject: string): boolean {
  const isFreeText = datasets.some(
    ({ name, isAboutSecurities: aboutSecurities }) => name === dataset && aboutSecurities === false,
  );
  if (isFreeText) return subject !== '' && subject.length <= 200 && isStorableText(subject);
  return /^CIK\d{10}$/.test(subject) || isCanonicalSymbol(subject);
}
