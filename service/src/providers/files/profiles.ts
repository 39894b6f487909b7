import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { entityKeyOrNull, readCountryCode, readText, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { matching, readCik, readDate, readPositive, wholeNumber } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

interface ProfileRow extends Omit<ProfileObservation, 'formerNames' | 'tickers'> {
  price: string | null;
  priceDate: LocalDate | null;
  marketCap: string | null;
}

const COLUMNS: Columns<ProfileRow> = {
  symbol: requireSymbol,
  cik: readCik,
  companyName: readText,
  exchange: readText,
  sector: readText,
  industry: readText,
  sicCode: matching(/^\d{3,4}$/),
  sicDescription: readText,
  country: readText,
  countryCode: readCountryCode,
  stateOrCountry: matching(/^[A-Z0-9]{2}$/),
  entityType: readText,
  fiscalYearEnd: matching(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/),
  ipoYear: wholeNumber(1792, 2100),
  sharesOutstanding: readPositive,
  sharesAsOf: readDate,
  price: readPositive,
  priceDate: readDate,
  marketCap: readPositive,
};

/** Companies and securities, one per row; `readme.md` lists the columns. */
export const profiles: Feed = {
  name: 'profiles',
  datasets: ['profiles'],
  claims: (response) => datasetOf(response) === 'profiles',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const parsed = readRows({
    dataset: 'profiles',
    rows: tableRows(response),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: readRow,
  });
  return rejectConflicts(parsed);
}

/** A row without a symbol describes the filer as a whole and needs a CIK. */
function readRow(row: JsonObject): ParsedRow<'profiles'> {
  const usedRow = row['symbol'] === '' || row['symbol'] === null ? withoutSymbol(row) : row;
  const { price, priceDate, marketCap, ...fields } = readColumns(usedRow, COLUMNS);
  if (price != null && priceDate == null) {
    throw new RowError('missing-field', 'price has a value and priceDate has none');
  }
  const subject = fields.symbol ?? (fields.cik ? `CIK${fields.cik}` : null);
  if (subject === null) throw new RowError('missing-field', 'neither symbol nor cik has a value');
  const parsed: ParsedRow<'profiles'> = {
    dataset: 'profiles',
    entityKey: subject,
    naturalKey: 'profile',
    fields,
  };
  const hasPrice = (price ?? marketCap ?? null) !== null;
  if (fields.symbol === undefined || !hasPrice) return parsed;
  const quote = {
    symbol: fields.symbol,
    price: price ?? null,
    priceDate: priceDate ?? null,
    marketCap: marketCap ?? null,
  };
  return { ...parsed, quote };
}

function withoutSymbol(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'symbol'));
}
