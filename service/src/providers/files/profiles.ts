import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { entityKeyOrNull, readCountryCode, readText } from '../kit/fields.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow } from '../provider.ts';
import {
  accepting,
  matching,
  readCik,
  readDate,
  readPositive,
  requireSymbol,
  wholeNumber,
} from './cells.ts';
import { fileFeed } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

interface ProfileRow extends Omit<
  ProfileObservation,
  'symbol' | 'formerNames' | 'tickers' | 'isEtf'
> {
  symbol: string | null;
  price: string | null;
  priceDate: LocalDate | null;
  marketCap: string | null;
}

const COLUMNS: Columns<ProfileRow> = {
  symbol: accepting(requireSymbol.accepted ?? '', (row, name) =>
    row[name] === '' || row[name] === null ? null : requireSymbol(row, name),
  ),
  cik: readCik,
  companyName: readText,
  exchange: readText,
  sector: readText,
  industry: readText,
  sicCode: matching(/^\d{3,4}$/, 'three or four digits'),
  sicDescription: readText,
  country: readText,
  countryCode: accepting('a two-letter country code', readCountryCode),
  stateOrCountry: matching(/^[A-Z0-9]{2}$/, 'EDGAR’s two-letter code'),
  entityType: readText,
  fiscalYearEnd: matching(
    /^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
    'month and day, such as 09-30',
  ),
  ipoYear: wholeNumber(1792, 2100),
  sharesOutstanding: readPositive,
  sharesAsOf: readDate,
  price: readPositive,
  priceDate: readDate,
  marketCap: readPositive,
};

/** Companies and securities, one per row; `readme.md` lists the columns. */
export const profiles = fileFeed({
  dataset: 'profiles',
  columns: COLUMNS,
  entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
  toRow,
});

/** A row without a symbol describes the filer as a whole and needs a CIK. */
function toRow(cells: Partial<ProfileRow>): ParsedRow<'profiles'> {
  const { symbol = null, price = null, priceDate = null, marketCap = null, ...others } = cells;
  if (price !== null && priceDate === null) {
    throw new RowError('missing-field', 'price has a value and priceDate has none');
  }
  const entityKey = symbol ?? (others.cik ? `CIK${others.cik}` : null);
  if (entityKey === null) throw new RowError('missing-field', 'neither symbol nor cik has a value');
  const fields: ProfileObservation = { ...others, ...(symbol !== null && { symbol }) };
  const row = { dataset: 'profiles', entityKey, naturalKey: 'profile', fields } as const;
  if (symbol === null || (price ?? marketCap) === null) return row;
  return { ...row, quote: { symbol, price, priceDate, marketCap } };
}
