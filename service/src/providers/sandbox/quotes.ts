import type { Feed, ParsedRow } from '../provider.ts';
import { readSecurity } from './companies.ts';
import { claimsKind, date, decimal, parseRows } from './read.ts';
import type { Loose } from './read.ts';

/** Closing prices and market values, as `QuoteWireRow` of `wire.ts`. */
export const quotes: Feed = {
  name: 'quotes',
  datasets: ['securities'],
  claims: (answer) => claimsKind(answer, 'quotes'),
  parse: (answer) => parseRows(answer, 'quotes', 'securities', readRow),
};

function readRow(row: Loose): ParsedRow[] {
  const fields = readSecurity(row);
  const quote = {
    symbol: fields.symbol,
    price: decimal(row, 'price'),
    priceDate: date(row, 'priceDate'),
    marketCap: decimal(row, 'marketCap'),
  };
  const { symbol } = fields;
  return [{ dataset: 'securities', subject: symbol, naturalKey: symbol, fields, quote }];
}
