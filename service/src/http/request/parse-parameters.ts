import type { Parameter, Values } from '../../endpoints/endpoint.ts';
import {
  compareDecimals,
  type Decimal,
  decimalFromNumber,
  normalizeDecimal,
} from '../../domain/decimal.ts';
import { addDays, localDate, type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import { parseWatchlistReference } from '../../domain/watchlist-name.ts';
import { formatInstant, type Instant, parseInstant } from '../../platform/instant.ts';
import { problem, type Problem } from '../problems.ts';
import { decode, type QueryPair } from './query-string.ts';

const ACCEPTED_DATES = ['YYYY-MM-DD', 'today', 'yesterday', 'tomorrow'];
const DAYS_FROM_TODAY: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const FIRST_INSTANT = newYorkInstant(localDate('1900-01-01'), 0);
const END_INSTANT = newYorkInstant(addDays(localDate('2100-12-31'), 1), 0);
const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  false: false,
  '0': false,
};

type Value = LocalDate | string | number | boolean | null | readonly string[];

export interface ParsedParameters {
  values: Values;
  /**
   * The query in canonical form, equal for requests with the same meaning: parameters are in table
   * order and relative dates are resolved.
   */
  canonicalQuery: string;
  /** Canonical, percent-encoded path parameters by name. */
  pathValues: ReadonlyMap<string, string>;
  /**
   * True if a relative date such as `today` was resolved, so the result is only valid for the
   * current day.
   */
  isRelative: boolean;
}

/**
 * Parses parameters according to the endpoint's table. Reports the first invalid parameter in table
 * order.
 */
export function parseParameters(
  parameters: readonly Parameter[],
  input: { query: readonly QueryPair[]; path: ReadonlyMap<string, string> },
  now: Instant,
): ParsedParameters | { refusal: Problem } {
  const values = new Map<string, Value>();
  const pathValues = new Map<string, string>();
  const canonicalPairs: string[] = [];
  let isRelative = false;
  for (const parameter of parameters) {
    const result = parseParameter(parameter, rawValues(parameter, input), now);
    if ('refusal' in result) return result;
    values.set(parameter.name, result.value);
    isRelative ||= result.isRelative === true;
    const text = canonicalText(parameter, result.value);
    if (parameter.in === 'path') pathValues.set(parameter.name, text ?? '');
    else if (text !== null) canonicalPairs.push(`${parameter.name}=${text}`);
  }
  return {
    values: valuesOf(values),
    canonicalQuery: canonicalPairs.join('&'),
    pathValues,
    isRelative,
  };
}

type ParameterResult = { value: Value; isRelative?: boolean } | { refusal: Problem };

function parseParameter(
  parameter: Parameter,
  texts: readonly (string | null)[],
  now: Instant,
): ParameterResult {
  const [value] = texts;
  if (value === undefined) return missingValue(parameter);
  if (texts.length > 1) return { refusal: invalidParameter(parameter, 'appears more than once') };
  if (value === null)
    return { refusal: invalidParameter(parameter, 'is not valid percent-encoded UTF-8') };
  switch (parameter.kind) {
    case 'date':
      return parseDate(parameter, value, now);
    case 'symbol': {
      const symbol = parseSymbol(value);
      return symbol === null ? { refusal: invalidSymbol(parameter) } : { value: symbol };
    }
    case 'boolean': {
      const flag = Object.hasOwn(FLAGS, value.toLowerCase())
        ? FLAGS[value.toLowerCase()]
        : undefined;
      if (flag === undefined)
        return { refusal: invalidParameter(parameter, 'must be true or false') };
      return { value: flag };
    }
    case 'integer':
      return parseInteger(parameter, value);
    case 'decimal':
      return parseDecimal(parameter, value);
    case 'symbols':
      return parseSymbols(parameter, value);
    case 'instant':
      return parseInstantParameter(parameter, value);
    case 'text':
      return parseText(parameter, value);
    case 'id':
      if (
        (parameter.orInstant === true || parameter.pattern.test(value)) &&
        (parameter.isReadable?.(value) ?? true)
      ) {
        return { value };
      }
      return { refusal: invalidParameter(parameter, `must look like ${parameter.example}`) };
    case 'enum':
      break;
  }
  if (parameter.values.includes(value)) return { value };
  return { refusal: invalidParameter(parameter, `must be one of ${parameter.values.join(', ')}`) };
}

function missingValue(parameter: Parameter): ParameterResult {
  if (parameter.required) {
    const detail = `The parameter ${parameter.name} is required.`;
    return {
      refusal: problem('missing-parameter', detail, { members: { parameter: parameter.name } }),
    };
  }
  return { value: defaultOf(parameter) };
}

function defaultOf(parameter: Parameter): Value {
  return 'default' in parameter ? (parameter.default ?? null) : null;
}

/** Parses symbols and references to watchlists, such as `@tech`, in a list. */
function parseSymbols(
  parameter: Extract<Parameter, { kind: 'symbols' }>,
  text: string,
): ParameterResult {
  const symbols = new Set<string>();
  for (const part of text.split(',')) {
    const watchlist = parseWatchlistReference(part);
    const symbol = watchlist === null ? parseSymbol(part) : `@${watchlist}`;
    if (symbol === null) return { refusal: invalidSymbol(parameter) };
    symbols.add(symbol);
  }
  if (symbols.size > parameter.max) {
    return { refusal: invalidParameter(parameter, `must have at most ${parameter.max} symbols`) };
  }
  return { value: [...symbols].sort() };
}

/** White space at the ends is dropped, so that it makes no difference to a cache. */
function parseText(parameter: Extract<Parameter, { kind: 'text' }>, text: string): ParameterResult {
  const { lengthMax } = parameter;
  const length = [...text].length;
  if (length >= 1 && length <= lengthMax) return { value: text.trim() };
  return { refusal: invalidParameter(parameter, `must have 1 to ${lengthMax} characters`) };
}

function parseInteger(
  parameter: Extract<Parameter, { kind: 'integer' }>,
  text: string,
): ParameterResult {
  const { min, max } = parameter;
  const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : null;
  if (value !== null && value >= min && value <= max) return { value };
  return { refusal: invalidParameter(parameter, `must be an integer from ${min} to ${max}`) };
}

function parseDecimal(
  parameter: Extract<Parameter, { kind: 'decimal' }>,
  text: string,
): ParameterResult {
  const { min, max } = parameter;
  const value = normalizeDecimal(text) ?? expandExponent(text);
  if (value !== null && compareDecimals(value, min) >= 0 && compareDecimals(value, max) <= 0) {
    return { value };
  }
  return { refusal: invalidParameter(parameter, `must be a number from ${min} to ${max}`) };
}

const WITH_EXPONENT = /^[+-]?\d{1,40}(\.\d{1,40})?e[+-]?\d{1,3}$/i;
/** Smaller numbers, which have too many decimals, are read as zero. */
const NUMBER_MIN = 1e-20;

/** Reads a number with an exponent: Python writes 0.00001 as `1e-05`. */
function expandExponent(text: string): Decimal | null {
  if (!WITH_EXPONENT.test(text)) return null;
  const value = Number(text);
  return decimalFromNumber(Math.abs(value) < NUMBER_MIN ? 0 : value);
}

/**
 * Parses an instant. Its New York day must be a valid date, because New York had no standard time
 * before 1883.
 */
function parseInstantParameter(parameter: Parameter, text: string): ParameterResult {
  // A client may send the `+` in an offset without encoding it, and it is then decoded as a space.
  const instant = parseInstant(text.replace(' ', '+'));
  if (instant !== null && instant >= FIRST_INSTANT && instant < END_INSTANT) {
    return { value: instant };
  }
  const day = parseLocalDate(text);
  if (day !== null) return { value: newYorkInstant(addDays(day, 1), 0) - 1 };
  const fault =
    'must be an instant such as 2026-11-20T15:30:00Z, or a day such as 2026-11-20, from 1900 to 2100';
  return { refusal: invalidParameter(parameter, fault) };
}

function parseDate(parameter: Parameter, text: string, now: Instant): ParameterResult {
  const word = text.toLowerCase();
  const days = Object.hasOwn(DAYS_FROM_TODAY, word) ? DAYS_FROM_TODAY[word] : undefined;
  if (days !== undefined) return { value: addDays(newYorkDate(now), days), isRelative: true };
  const date = parseLocalDate(text);
  if (date !== null) return { value: date };
  const detail = `The parameter ${parameter.name} must be a date from 1900 to 2100.`;
  const members = { parameter: parameter.name, accepted: ACCEPTED_DATES };
  return { refusal: problem('invalid-date', detail, { members }) };
}

function invalidSymbol(parameter: Parameter): Problem {
  return problem('invalid-symbol', `The parameter ${parameter.name} must be a ticker symbol.`, {
    members: { parameter: parameter.name },
  });
}

/**
 * Returns the problem for an invalid parameter. The problem never repeats the value, which might be
 * an API key sent in the wrong place.
 */
function invalidParameter(parameter: Parameter, fault: string): Problem {
  return problem('invalid-parameter', `The parameter ${parameter.name} ${fault}.`, {
    members: { parameter: parameter.name },
  });
}

function rawValues(
  parameter: Parameter,
  input: { query: readonly QueryPair[]; path: ReadonlyMap<string, string> },
): (string | null)[] {
  if (parameter.in === 'path') return [decode(input.path.get(parameter.name) ?? '')];
  return input.query.filter((pair) => pair.name === parameter.name).map((pair) => pair.value);
}

/**
 * Returns the canonical text for a value, or null for the default value, so that a default sent
 * explicitly has no effect.
 */
function canonicalText(parameter: Parameter, value: Value): string | null {
  if (value === null || value === defaultOf(parameter)) return null;
  if (parameter.kind === 'instant') return formatInstant(Number(value));
  if (Array.isArray(value)) return value.map(encodeURIComponent).join(',');
  return encodeURIComponent(String(value));
}

function valuesOf(values: ReadonlyMap<string, Value>): Values {
  function get(name: string): Value {
    const value = values.get(name);
    if (value === undefined) throw new RangeError(`the endpoint has no parameter ${name}`);
    return value;
  }
  function text(name: string): string {
    const value = get(name);
    if (typeof value !== 'string') throw new TypeError(`${name} is missing or not a string`);
    return value;
  }
  function number(name: string): number | null {
    const value = get(name);
    if (value === null || typeof value === 'number') return value;
    throw new TypeError(`${name} is not a number`);
  }
  return {
    date: (name) => text(name) as LocalDate,
    maybeDate: (name) => (get(name) === null ? null : (text(name) as LocalDate)),
    symbol: text,
    symbols: (name) => get(name) as readonly string[] | null,
    instant: number,
    id: text,
    flag: (name) => get(name) === true,
    maybeFlag: (name) => get(name) as boolean | null,
    text: (name) => (get(name) === null ? null : text(name)),
    choice: (name) => (get(name) === null ? null : text(name)),
    integer: number,
    decimal: (name) => (get(name) === null ? null : text(name)),
  };
}
