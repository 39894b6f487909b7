import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { makeLocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import type { BadRow, Parsed } from '../provider.ts';
import { isObject, textOf } from './answer-body.ts';
import type { JsonObject } from './answer-body.ts';
import { countryOf } from './country.ts';
import { cikSubject } from './edgar.ts';

const LEAP_YEAR = 2024;

/** The filer's profile. A value that cannot be read is null and a bad row; the rest stands. */
export function readProfile(body: JsonObject, cik: string): Parsed {
  const bad: BadRow[] = [];
  const reject = (reason: string, field: string): null => {
    const detail = `${field}: ${JSON.stringify(body[field]) ?? 'absent'}`;
    bad.push({ dataset: 'profiles', subject: cikSubject(cik), reason, detail, row: body[field] });
    return null;
  };
  const companyName = textOf(body['name']) ?? reject('missing-field', 'name');
  const yearEnd = textOf(body['fiscalYearEnd']);
  const fields: ProfileObservation = {
    cik,
    companyName,
    sicCode: textOf(body['sic']),
    sicDescription: textOf(body['sicDescription']),
    fiscalYearEnd:
      yearEnd === null ? null : (monthDayOf(yearEnd) ?? reject('bad-date', 'fiscalYearEnd')),
    exchange: listOf(body['exchanges']).map(textOf).find(isText) ?? null,
    tickers: listOf(body['tickers']).map(canonicalTicker).filter(isText),
    formerNames: listOf(body['formerNames']).flatMap(formerNameOf),
    entityType: textOf(body['entityType']),
    ...countryOf(businessAddress(body)),
  };
  const subject = cikSubject(cik);
  return { rows: [{ dataset: 'profiles', subject, naturalKey: 'submissions', fields }], bad };
}

/** `0926` to `09-26`; null when no year has that day. */
function monthDayOf(text: string): string | null {
  const match = /^(\d{2})(\d{2})$/.exec(text);
  const day = match && makeLocalDate(LEAP_YEAR, Number(match[1]), Number(match[2]));
  return day === null ? null : day.slice(5);
}

/** A bad ticker is reported by the rows of securities. */
function canonicalTicker(ticker: unknown): string | null {
  return parseSymbol(textOf(ticker) ?? '');
}

/** `to` is midnight of New York written with `Z`, on either clock: only its day is meant. */
function formerNameOf(
  entry: unknown,
): { name: string; until: ReturnType<typeof parseLocalDate> }[] {
  if (!isObject(entry)) return [];
  const name = textOf(entry['name']);
  const until = parseLocalDate((textOf(entry['to']) ?? '').slice(0, 10));
  return name === null ? [] : [{ name, until }];
}

function businessAddress(body: JsonObject): JsonObject {
  const addresses = isObject(body['addresses']) ? body['addresses'] : {};
  return isObject(addresses['business']) ? addresses['business'] : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: string | null): value is string {
  return value !== null;
}
