import {
  IPO_STATUSES,
  type IpoObservation,
  OFFERING_TYPES,
} from '../../datasets/ipos/observation.ts';
import { foldCompanyName } from '../../domain/company-name.ts';
import { compareDecimals } from '../../domain/decimal.ts';
import { readText, required } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { readProposedSymbol } from '../kit/ipo-fields.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow } from '../provider.ts';
import {
  accepting,
  matching,
  oneOf,
  readCik,
  readCurrency,
  readDate,
  readPositive,
  readUrl,
} from './cells.ts';
import { fileFeed } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

interface IpoRow extends Omit<IpoObservation, 'stage' | 'companyName'> {
  companyName: string | null;
  status: IpoObservation['stage'] | null;
}

const COLUMNS: Columns<IpoRow> = {
  dealKey: matching(/^[\w-]{1,60}$/, 'up to 60 letters, digits and hyphens'),
  companyName: readText,
  status: oneOf(IPO_STATUSES),
  symbol: accepting('a ticker, such as CLDV', readProposedSymbol),
  exchange: readText,
  expectedDate: readDate,
  dateStatus: oneOf<'expected' | 'confirmed' | 'week-of'>(['expected', 'confirmed', 'week-of']),
  filedDate: readDate,
  pricedDate: readDate,
  withdrawnDate: readDate,
  offeringType: oneOf(OFFERING_TYPES),
  priceLow: readPositive,
  priceHigh: readPositive,
  price: readPositive,
  shares: readPositive,
  dealSize: readPositive,
  currency: readCurrency,
  underwriters: accepting('names separated by semicolons', readList),
  lockupExpiration: readDate,
  cik: readCik,
  filingUrl: readUrl,
};

/** Offerings in their current state, one per row; `readme.md` lists the columns. */
export const ipos = fileFeed({ dataset: 'ipos', columns: COLUMNS, entityKeyOf, toRow });

/**
 * Keys a deal by `dealKey` if present, otherwise by company name, so that the key survives a change
 * of status.
 */
function toRow(cells: Partial<IpoRow>): ParsedRow<'ipos'> {
  const { companyName: name, status, dealKey = null, ...rest } = cells;
  const companyName = required(name ?? null, 'companyName');
  const stage = required(status ?? null, 'status');
  const subject = required(foldCompanyName(companyName), 'companyName');
  const { priceLow = null, priceHigh = null } = rest;
  if (priceLow !== null && priceHigh !== null && compareDecimals(priceLow, priceHigh) > 0) {
    throw new RowError('bad-range', `priceLow is ${priceLow}, priceHigh ${priceHigh}`);
  }
  const fields: IpoObservation = { dealKey, companyName, stage, ...rest };
  return { dataset: 'ipos', entityKey: subject, naturalKey: dealKey ?? 'deal', fields };
}

/** Reads names separated by semicolons. */
function readList(row: JsonObject, name: string): string[] | null {
  const text = readText(row, name);
  if (text === null) return null;
  return text
    .split(';')
    .map((underwriter) => underwriter.trim())
    .filter((underwriter) => underwriter !== '');
}

function entityKeyOf(row: unknown): string | null {
  const name = isJsonObject(row) ? row['companyName'] : null;
  return typeof name === 'string' ? foldCompanyName(name) : null;
}
