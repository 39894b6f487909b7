import { decimalFromNumber } from '../../../domain/decimal.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
import { isObject, textOf } from '../answer-body.ts';
import { parseAccession } from '../edgar.ts';

/**
 * One reported value. `filingYear` and `filingPeriod` describe the filing that holds it, not the
 * value: last year's figure in this year's report carries this year's.
 */
export interface Fact {
  tag: string;
  /** Null for an instant. */
  start: LocalDate | null;
  end: LocalDate;
  value: Decimal;
  accession: string;
  form: string;
  filedDate: LocalDate;
  filingYear: number | null;
  filingPeriod: string | null;
}

export interface BadFact {
  reason: string;
  detail: string;
  row: unknown;
}

/** Periodic reports only: proxy statements carry figures of another scale, 8-Ks parts of reports. */
const FORMS: ReadonlySet<string> = new Set(
  ['10-Q', '10-K', '10-K405', '10-KT', '20-F', '40-F'].flatMap((form) => [form, `${form}/A`]),
);

/** The facts of one tag in one unit. Those of other forms are passed over without a look. */
export function readFacts(tag: string, list: unknown): { facts: Fact[]; bad: BadFact[] } {
  const facts: Fact[] = [];
  const bad: BadFact[] = [];
  if (!Array.isArray(list)) {
    return { facts, bad: [{ reason: 'unexpected-shape', detail: `${tag}: no list`, row: list }] };
  }
  for (const row of list as unknown[]) {
    const fact = readFact(tag, row);
    if (fact === null) continue;
    if ('reason' in fact) bad.push(fact);
    else facts.push(fact);
  }
  return { facts, bad };
}

function readFact(tag: string, row: unknown): Fact | BadFact | null {
  if (!isObject(row)) return { reason: 'unexpected-shape', detail: `${tag}: no object`, row };
  const reject = (reason: string, field: string): BadFact => {
    return { reason, detail: `${tag} ${field}: ${JSON.stringify(row[field]) ?? 'absent'}`, row };
  };
  const form = textOf(row['form']);
  if (form === null) return reject('missing-field', 'form');
  if (!FORMS.has(form)) return null;
  const value = typeof row['val'] === 'number' ? decimalFromNumber(row['val']) : null;
  if (value === null) return reject('bad-number', 'val');
  const accession = parseAccession(row['accn']);
  if (accession === null) return reject('bad-accession', 'accn');
  const end = dateOf(row['end']);
  if (end === null) return reject('bad-date', 'end');
  const start = row['start'] === undefined ? null : dateOf(row['start']);
  if (row['start'] !== undefined && (start === null || start > end)) {
    return reject('bad-date', 'start');
  }
  const filedDate = dateOf(row['filed']);
  if (filedDate === null) return reject('bad-date', 'filed');
  const filingYear = typeof row['fy'] === 'number' && row['fy'] > 0 ? row['fy'] : null;
  const filingPeriod = textOf(row['fp']);
  return { tag, start, end, value, accession, form, filedDate, filingYear, filingPeriod };
}

function dateOf(value: unknown): LocalDate | null {
  return typeof value === 'string' ? parseLocalDate(value) : null;
}
