import { datasets } from '../../../src/datasets/registry.gen.ts';
import type { BarObservation } from '../../../src/datasets/bars/observation.ts';
import { normalizeDecimal } from '../../../src/domain/decimal.ts';
import { isEmptyMark } from '../../../src/domain/dirty-value-error.ts';
import { isCanonicalSymbol } from '../../../src/domain/symbol.ts';
import { isStorableText } from '../../../src/providers/kit/clean-text.ts';
import { toComparable } from '../../../src/providers/kit/canonical-json.ts';
import type {
  BadRow,
  Feed,
  Parsed,
  ParsedRow,
  QuoteTick,
} from '../../../src/providers/provider.ts';

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/**
 * What may look like a mark of "no value": `NA` and `NAN` are real tickers, `NA` is Namibia, and a
 * special dividend has the frequency `none`.
 */
const CODED_KEYS: ReadonlySet<string> = new Set([
  'symbol',
  'tickers',
  'subject',
  'countryCode',
  'frequency',
]);

/** What is wrong with a parsed answer, in words; empty when nothing is. */
export function faultsOf(feed: Feed, parsed: Parsed): string[] {
  return [
    ...parsed.rows.flatMap((row) => faultsOfRow(feed, row)),
    ...parsed.bad.flatMap((row) => faultsOfBadRow(feed, row)),
    ...faultsOfKeys(parsed.rows),
    ...faultsOfBars(feed, parsed.bars),
  ];
}

function faultsOfBars(feed: Feed, bars: Parsed['bars']): string[] {
  if (bars === undefined) return [];
  const faults = feed.datasets.includes('bars') ? [] : ['undeclared data set bars'];
  return [...faults, ...bars.rows.flatMap((bar) => faultsOfBar(bar, bars.list))];
}

function faultsOfBar(bar: BarObservation, list: string | null): string[] {
  const { symbol, date, open, high, low, close, previousClose, volume } = bar;
  const faults = isCanonicalSymbol(symbol) ? [] : [`bar of ${symbol}`];
  const prices = [open, high, low, close, previousClose].filter((price) => price !== null);
  faults.push(...prices.filter((price) => !isAmount(price)).map((price) => `bar holds ${price}`));
  if (volume !== null && !(Number.isSafeInteger(volume) && volume >= 0)) {
    faults.push(`bar with volume ${volume}`);
  }
  return (date === null) === (list === null)
    ? [...faults, 'a list is undated or its bars are dated']
    : faults;
}

function faultsOfRow(feed: Feed, row: ParsedRow): string[] {
  const faults: string[] = [];
  if (!feed.datasets.includes(row.dataset)) faults.push(`undeclared data set ${row.dataset}`);
  if (!isSubject(row.dataset, row.subject)) faults.push(`subject ${row.subject} is not canonical`);
  if (row.naturalKey === '' || row.naturalKey.length > 200) faults.push('no usable natural key');
  return [...faults, ...faultsOfValue(row.fields, 'fields'), ...faultsOfQuote(row.quote)];
}

function faultsOfBadRow(feed: Feed, row: BadRow): string[] {
  const faults: string[] = [];
  if (!feed.datasets.includes(row.dataset)) faults.push(`undeclared data set ${row.dataset}`);
  if (!KEBAB_CASE.test(row.reason)) faults.push(`reason ${row.reason} is not kebab-case`);
  if (row.subject !== null && !isSubject(row.dataset, row.subject))
    faults.push(`bad subject ${row.subject}`);
  if (!isStorable([row.row, row.detail])) faults.push('a bad row that cannot be stored');
  return faults;
}

/** One thing may be named twice in an answer only when both rows say the same of it. */
function faultsOfKeys(rows: readonly ParsedRow[]): string[] {
  const seen = new Map<string, string>();
  return rows.flatMap((row) => {
    const key = `${row.dataset} ${row.subject} ${row.naturalKey}`;
    const content = toComparable(row.fields);
    const earlier = seen.get(key) ?? content;
    seen.set(key, earlier);
    return earlier === content ? [] : [`two different rows of ${key}`];
  });
}

function faultsOfQuote(quote: QuoteTick | undefined): string[] {
  if (quote === undefined) return [];
  const amounts = [quote.price, quote.marketCap].filter((value) => typeof value === 'string');
  const unsound = amounts.filter((value) => !isAmount(value));
  const faults = unsound.map((value) => `quote holds ${value}`);
  return isCanonicalSymbol(quote.symbol) ? faults : [...faults, `quote of ${quote.symbol}`];
}

/** Decimal text above zero in its normal form. */
function isAmount(value: string): boolean {
  return normalizeDecimal(value) === value && value !== '0' && !value.startsWith('-');
}

/** Only what JSON and the store can keep, and no stand-ins for "no value". */
function faultsOfValue(value: unknown, key: string): string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${key} is ${value}`];
  if (typeof value === 'string') {
    if (!isStorableText(value)) return [`${key} cannot be stored`];
    return isEmptyMark(value) && !CODED_KEYS.has(key) ? [`${key} is a stand-in: ${value}`] : [];
  }
  if (Array.isArray(value)) return value.flatMap((inner: unknown) => faultsOfValue(inner, key));
  if (typeof value !== 'object') return [`${key} is a ${typeof value}`];
  return Object.entries(value).flatMap(([name, inner]) => faultsOfValue(inner, name));
}

/** Bad rows may hold any value, but no text that the store would refuse. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner));
}

/** Of a data set about securities a symbol or filer; of others any short text. */
function isSubject(dataset: string, subject: string): boolean {
  const isFree = datasets.some(
    ({ name, isAboutSecurities: aboutSecurities }) => name === dataset && aboutSecurities === false,
  );
  if (isFree) return subject !== '' && subject.length <= 200 && isStorableText(subject);
  return /^CIK\d{10}$/.test(subject) || isCanonicalSymbol(subject);
}
