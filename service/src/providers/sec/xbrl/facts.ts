import { type Decimal, decimalFromNumber } from '../../../domain/decimal.ts';
import { type LocalDate, parseLocalDate } from '../../../domain/local-date.ts';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { badRow } from '../../kit/read-rows.ts';
import { RowError } from '../../kit/row-error.ts';
import type { BadRow, DatasetName } from '../../provider.ts';
import { parseAccession } from '../edgar.ts';

/**
 * A reported value. `filingYear` and `filingPeriod` describe the filing that contains the value,
 * not the value itself. For example, last year's figure in this year's report has this year as its
 * `filingYear`.
 */
export interface Fact {
  tag: string;
  /** Null for a value at a point in time. */
  start: LocalDate | null;
  end: LocalDate;
  value: Decimal;
  accession: string;
  form: string;
  filedDate: LocalDate;
  filingYear: number | null;
  filingPeriod: string | null;
}

/** Valid facts, and invalid rows for malformed facts. */
export interface FactsResult {
  facts: Fact[];
  bad: BadRow[];
}

/** Data set and entity key for malformed facts. */
export interface FactsSource {
  dataset: DatasetName;
  entityKey: string;
}

/**
 * Only periodic reports are included: proxy statements use different scales, and 8-Ks contain
 * partial reports.
 */
const FORMS: ReadonlySet<string> = new Set(
  ['10-Q', '10-K', '10-K405', '10-KT', '20-F', '40-F'].flatMap((form) => [form, `${form}/A`]),
);

/** Returns whether facts of the form are used. */
export function isPeriodicForm(form: string): boolean {
  return FORMS.has(form);
}

/** Reads the facts for one tag in one unit. Facts from other forms are skipped. */
export function readFacts(tag: string, list: unknown, source: FactsSource): FactsResult {
  const result: FactsResult = { facts: [], bad: [] };
  const entityKeyOf = (): string => source.entityKey;
  for (const row of Array.isArray(list) ? (list as unknown[]) : [list]) {
    try {
      const fact = readFact(tag, row);
      if (fact !== null) result.facts.push(fact);
    } catch (error) {
      result.bad.push(badRow({ dataset: source.dataset, entityKeyOf }, row, error));
    }
  }
  return result;
}

function readFact(tag: string, row: unknown): Fact | null {
  if (!isJsonObject(row)) throw new RowError('not-an-object', `${tag}: a ${typeof row}`);
  const { form, val, accn, fy, fp } = row;
  if (typeof form !== 'string') throw new RowError('missing-field', `${tag}: no form`);
  if (!isPeriodicForm(form)) return null;
  const value = typeof val === 'number' && isPlausible(val) ? decimalFromNumber(val) : null;
  if (value === null) throw new RowError('bad-number', `${tag}: val ${JSON.stringify(val)}`);
  const accession = parseAccession(accn);
  if (accession === null) throw new RowError('bad-accession', `${tag}: ${JSON.stringify(accn)}`);
  const end = dateIn(row, 'end', tag);
  const start = row['start'] === undefined ? null : dateIn(row, 'start', tag);
  if (start !== null && start > end)
    throw new RowError('bad-date', `${tag}: ends before it starts`);
  const filedDate = dateIn(row, 'filed', tag);
  const filingYear = typeof fy === 'number' && fy > 0 ? fy : null;
  const filingPeriod = typeof fp === 'string' ? fp : null;
  return { tag, start, end, value, accession, form, filedDate, filingYear, filingPeriod };
}

/**
 * Returns true if calculations with the value cannot exceed the maximum number of decimal digits.
 */
function isPlausible(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= 1e-9 && size < 1e18);
}

function dateIn(row: JsonObject, key: string, tag: string): LocalDate {
  const text = row[key];
  const date = typeof text === 'string' ? parseLocalDate(text) : null;
  if (date === null) throw new RowError('bad-date', `${tag}: ${key} ${JSON.stringify(text)}`);
  return date;
}
