import { csvHeader, readCsv } from '../kit/csv.ts';
import { withNumberedDividends } from '../kit/dividend-keys.ts';
import { entityKeyOrNull } from '../kit/fields.ts';
import { type JsonObject, rejectFailedStatus } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type { Feed, ParseResult, SourceResponse } from '../provider.ts';
import { readCalendarDividend } from './calendar-dividends.ts';
import { HOST } from './request.ts';

/**
 * Column names of the table, in lower case and without separators, by the API's field. Recorders
 * make such tables from the API's rows and choose the names.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  symbol: ['ticker', 'symbol'],
  companyName: ['company', 'companyname', 'name'],
  dividend_Ex_Date: ['exdate', 'exdividenddate', 'dividendexdate', 'exdivdate', 'date'],
  record_Date: ['recorddate'],
  payment_Date: ['paymentdate', 'paydate', 'payabledate'],
  announcement_Date: ['announcementdate', 'announceddate', 'declarationdate', 'declareddate'],
  dividend_Rate: ['dividendrate', 'dividend', 'dividendamount', 'amount'],
  indicated_Annual_Dividend: [
    'indicatedannualdividend',
    'annualdividend',
    'indicatedannual',
    'annualrate',
  ],
};

/**
 * The dividends calendar as a table covering many days, read from recordings and never requested.
 * Columns are read by name in any order.
 */
export const dividendsTable: Feed = {
  name: 'dividends-table',
  datasets: ['dividends'],
  claims,
  parse,
};

function claims(response: SourceResponse): boolean {
  if (response.host !== HOST || !response.contentType.startsWith('text/csv')) return false;
  if (!response.path.startsWith('/api/calendar/dividends')) return false;
  const columns = columnsOf(csvHeader(response.text));
  return columns.has('symbol') && columns.has('dividend_Ex_Date');
}

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const { header, rows } = readCsv(response.text);
  const columns = columnsOf(header);
  const parsed = readRows({
    dataset: 'dividends',
    rows: rows.map((row) => (Array.isArray(row) ? row : toApiRow(row, columns))),
    entityKeyOf: (row) => entityKeyOrNull(row, 'symbol'),
    read: (row) => readCalendarDividend(row, null),
  });
  return withNumberedDividends(parsed);
}

/** Returns the column that holds each of the API's fields, by the first of its names. */
function columnsOf(header: readonly string[]): ReadonlyMap<string, string> {
  const byName = new Map(
    header.map((column) => [column.toLowerCase().replaceAll(/[^a-z]/g, ''), column]),
  );
  return new Map(
    Object.entries(COLUMNS).flatMap(([field, names]): [string, string][] => {
      const column = names.map((name) => byName.get(name)).find((found) => found !== undefined);
      return column === undefined ? [] : [[field, column]];
    }),
  );
}

function toApiRow(row: JsonObject, columns: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries([...columns].map(([field, column]) => [field, row[column]]));
}
