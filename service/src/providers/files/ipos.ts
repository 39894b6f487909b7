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
import { readRows } from '../kit/read-rows.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { matching, oneOf, readCik, readDate, readPositive } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

interface IpoRow extends Omit<IpoObservation, 'stage' | 'companyName'> {
  companyName: string | null;
  status: IpoObservation['stage'] | null;
}

const COLUMNS: Columns<IpoRow> = {
  dealKey: matching(/^[\w-]{1,60}$/),
  companyName: readText,
  status: oneOf(IPO_STATUSES),
  symbol: readProposedSymbol,
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
  currency: matching(/^[A-Z]{3}$/),
  underwriters: readList,
  lockupExpiration: readDate,
  cik: readCik,
  filingUrl: matching(/^https?:\/\/[^\s"<>]+$/),
};

/** Offerings in their current state, one per row; `readme.md` lists the columns. */
export const ipos: Feed = {
  name: 'ipos',
  datasets: ['ipos'],
  claims: (response) => datasetOf(response) === 'ipos',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const parsed = readRows({
    dataset: 'ipos',
    rows: tableRows(response),
    entityKeyOf,
    read: readRow,
  });
  return rejectConflicts(parsed);
}

/**
 * Keys a deal by `dealKey` if present, otherwise by company name, so that the key survives a change
 * of status.
 */
function readRow(row: JsonObject): ParsedRow<'ipos'> {
  const read = readColumns(row, COLUMNS);
  const { companyName: name, status, dealKey = null, ...rest } = read;
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
