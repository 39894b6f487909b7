import type { JsonObject } from '../kit/json.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import { readSecurity } from './companies.ts';
import { amount, claimsKind, date, parseRows } from './read-row.ts';

/** Closing prices and market values as `QuoteWireRow`. */
export const quotes: Feed = {
  name: 'quotes',
  datasets: ['securities'],
  claims: (response) => claimsKind(response, 'quotes'),
  parse: (response) => parseRows(response, 'quotes', 'securities', readRow),
};

function readRow(row: JsonObject): ParsedRow<'securities'> {
  const security = readSecurity(row);
  const quote = {
    symbol: security.entityKey,
    price: amount(row, 'price'),
    priceDate: date(row, 'priceDate'),
    marketCap: amount(row, 'marketCap'),
  };
  return { ...security, quote };
}
