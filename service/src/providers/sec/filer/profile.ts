import type { ProfileObservation } from '../../../datasets/profiles/observation.ts';
import { type LocalDate, makeLocalDate, parseLocalDate } from '../../../domain/local-date.ts';
import { parseSymbol } from '../../../domain/symbol.ts';
import { readText, readWith, required } from '../../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { badRow } from '../../kit/read-rows.ts';
import { RowError } from '../../kit/row-error.ts';
import type { BadRow, ParseResult } from '../../provider.ts';
import { countryOf } from './country.ts';
import { cikSubject } from '../edgar.ts';

const LEAP_YEAR = 2024;

interface FormerName {
  name: string;
  until: LocalDate | null;
}

/**
 * Reads the filer's profile. An invalid value becomes null and adds an invalid row; the other
 * values are kept.
 */
export function readProfile(body: JsonObject, cik: string): ParseResult {
  const subject = cikSubject(cik);
  const bad: BadRow[] = [];
  const source = { dataset: 'profiles', entityKeyOf: () => subject } as const;
  const attempt = <T>(key: string, read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      bad.push(badRow(source, { [key]: body[key] }, error));
      return null;
    }
  };
  const text = (key: string): string | null => attempt(key, () => readText(body, key));
  const companyName = attempt('name', () => required(readText(body, 'name'), 'name'));
  const address = addressOf(body);
  const fields: ProfileObservation = {
    cik,
    companyName,
    sicCode: text('sic'),
    sicDescription: text('sicDescription'),
    fiscalYearEnd: attempt('fiscalYearEnd', () => readWith(body, 'fiscalYearEnd', monthDayOf)),
    exchange: attempt('exchanges', () => firstText(listOf(body['exchanges']))),
    tickers: listOf(body['tickers']).flatMap(canonicalTicker),
    formerNames: attempt('formerNames', () => formerNamesOf(body, companyName)) ?? [],
    entityType: text('entityType'),
    ...attempt('addresses', () => countryOf(address)),
  };
  return {
    rows: [{ dataset: 'profiles', entityKey: subject, naturalKey: 'submissions', fields }],
    bad,
  };
}

/** Converts `0926` to `09-26`. Returns null for empty text. */
function monthDayOf(text: string): string | null {
  if (text.trim() === '') return null;
  const match = /^(\d{2})(\d{2})$/.exec(text);
  const day = match && makeLocalDate(LEAP_YEAR, Number(match[1]), Number(match[2]));
  if (day === null) throw new RowError('bad-date', `fiscalYearEnd ${JSON.stringify(text)}`);
  return day.slice(5);
}

function firstText(values: unknown[]): string | null {
  for (const value of values) {
    const text = readText({ value }, 'value');
    if (text !== null) return text;
  }
  return null;
}

/**
 * Returns the canonical ticker in a list. The list is empty for an invalid ticker, since that is
 * reported with the rows of `securities`.
 */
function canonicalTicker(ticker: unknown): string[] {
  const symbol = typeof ticker === 'string' ? parseSymbol(ticker) : null;
  return symbol === null ? [] : [symbol];
}

/**
 * Returns the filer's former names. `to` is midnight in New York, expressed in UTC or as New York
 * time with a `Z`, so only its date is used. EDGAR may list the current name among the former
 * names; it is skipped.
 */
function formerNamesOf(body: JsonObject, companyName: string | null): FormerName[] {
  return listOf(body['formerNames']).flatMap((entry) => {
    const name = isJsonObject(entry) ? readText(entry, 'name') : null;
    if (!isJsonObject(entry) || name === null || name === companyName) return [];
    const until = readWith(entry, 'to', (text) => parseLocalDate(text.slice(0, 10)));
    return [{ name, until }];
  });
}

function addressOf(body: JsonObject): JsonObject {
  const addresses = isJsonObject(body['addresses']) ? body['addresses'] : {};
  return isJsonObject(addresses['business']) ? addresses['business'] : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
