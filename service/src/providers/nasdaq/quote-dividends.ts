import { daily } from '../../domain/market/due-times.ts';
import type { DividendObservation, DividendType } from '../../datasets/dividends/observation.ts';
import { parseSlashDate } from '../../domain/dirty-date.ts';
import { parseDollars } from '../../domain/dirty-number.ts';
import { exDateKey, withNumberedDividends } from '../kit/dividend-keys.ts';
import { positiveOrNull, readText, readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { rowsOf } from './envelope.ts';
import { apiRequest, HOST, symbolSegment } from './request.ts';
import { openSymbolTable } from './symbol-table.ts';

const PATH = /^\/api\/quote\/([^/?]+)\/dividends(\?|$)/;
const TYPES: ReadonlyMap<string | null, DividendType | null> = new Map([
  [null, null],
  ['cash', 'cash'],
  ['special', 'special'],
  ['special cash', 'special'],
  ['supplemental', 'supplemental'],
  ['stock', 'stock'],
  ['return of capital', 'return-of-capital'],
]);

/** `quote/{symbol}/dividends`: one security's dividends, with type and currency. */
export const quoteDividends: Feed = {
  name: 'quote-dividends',
  datasets: ['dividends'],
  schedule: [
    { name: 'turn', times: daily('03:40'), scope: 'all', priority: 'spare', everyDays: 28 },
  ],
  claims: (response) => response.host === HOST && PATH.test(response.path),
  parse,
  plan: ({ symbols }) =>
    symbols.map((symbol) =>
      apiRequest(`quote/${symbolSegment(symbol)}/dividends?assetclass=stocks`),
    ),
};

function parse(response: SourceResponse): ParseResult {
  const { symbol, table } = openSymbolTable(response, PATH, 'dividends');
  if (table === null) return { rows: [], bad: [] };
  const parsed = readRows({
    dataset: 'dividends',
    rows: rowsOf(table),
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol),
  });
  return withNumberedDividends(parsed);
}

function readRow(row: JsonObject, symbol: string): ParsedRow<'dividends'> {
  const exDate = required(readWith(row, 'exOrEffDate', parseSlashDate), 'exOrEffDate');
  const type = readType(row);
  const fields: DividendObservation = {
    symbol,
    exDate,
    recordDate: readWith(row, 'recordDate', parseSlashDate),
    paymentDate: readWith(row, 'paymentDate', parseSlashDate),
    declarationDate: readWith(row, 'declarationDate', parseSlashDate),
    type,
    currency: readCurrency(row),
  };
  // For stock dividends, the column does not contain an amount of money.
  if (type !== 'stock') {
    fields.amount = positiveOrNull(readWith(row, 'amount', parseDollars), 'amount');
  }
  return { dataset: 'dividends', entityKey: symbol, naturalKey: exDateKey(exDate), fields };
}

function readType(row: JsonObject): DividendType | null {
  const word = readText(row, 'type');
  const type = TYPES.get(word?.toLowerCase() ?? null);
  if (type === undefined) throw new RowError('unknown-type', `type is ${JSON.stringify(word)}`);
  return type;
}

function readCurrency(row: JsonObject): string | null {
  const word = readText(row, 'currency');
  if (word === null || /^[A-Z]{3}$/.test(word)) return word;
  throw new RowError('bad-currency', `currency is ${JSON.stringify(word)}`);
}
