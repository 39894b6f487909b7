import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { parsePlain } from '../../domain/dirty-number.ts';
import { positiveOrNull, readRaw, readText, readWith } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { readObject } from './response-body.ts';
import { isFunctionResponse, listedSymbol, requireRequestedSymbol } from './request.ts';

const CAP_KEY = 'MarketCapitalization';
const SEPARATORS = /(?<=[\s&/(-]|^)([a-z])/g;

/**
 * `OVERVIEW&symbol=`: a company profile, or `{}` for an unknown symbol. The share count is ignored
 * because it covers one share class and does not say whether there are others.
 */
export const overview: Feed = {
  name: 'overview',
  datasets: ['profiles'],
  claims: (response) => isFunctionResponse(response, 'OVERVIEW'),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const body = readObject(response);
  if (Object.keys(body).length === 0) return { rows: [], bad: [] };
  const symbol = requireRequestedSymbol(response);
  return readRows({
    dataset: 'profiles',
    rows: [body],
    entityKeyOf: () => symbol,
    read: (row) => readRow(row, symbol),
  });
}

function readRow(row: JsonObject, requestedSymbol: string): ParsedRow<'profiles'> {
  const symbol = listedSymbol(readRaw(row, 'Symbol') ?? '');
  if (symbol !== requestedSymbol)
    throw new RowError('symbol-mismatch', `requested ${requestedSymbol}`);
  const fields: ProfileObservation = { symbol };
  if ('Name' in row) fields.companyName = readText(row, 'Name');
  if ('CIK' in row) fields.cik = readCik(row);
  if ('Exchange' in row) fields.exchange = readText(row, 'Exchange');
  if ('Country' in row) fields.country = readCountry(row);
  if ('Sector' in row) fields.sector = inTitleCase(readText(row, 'Sector'));
  if ('Industry' in row) fields.industry = inTitleCase(readText(row, 'Industry'));
  const isInDollars = readText(row, 'Currency') === 'USD';
  const value = positiveOrNull(readWith(row, CAP_KEY, parsePlain), CAP_KEY);
  const marketCap = isInDollars ? value : null;
  return {
    dataset: 'profiles',
    entityKey: symbol,
    naturalKey: 'profile',
    fields,
    ...(marketCap !== null && { quote: { symbol, marketCap } }),
  };
}

/**
 * Returns the CIK padded to ten digits, since the source omits leading zeros; null for funds, which
 * have none.
 */
function readCik(row: JsonObject): string | null {
  const text = readText(row, 'CIK');
  if (text === null) return null;
  if (/^\d{1,10}$/.test(text)) return text.padStart(10, '0');
  throw new RowError('bad-cik', `CIK is ${JSON.stringify(text)}`.slice(0, 100));
}

/** Returns the country. The source abbreviates only `USA` and spells out other countries. */
function readCountry(row: JsonObject): string | null {
  const text = readText(row, 'Country');
  return text === 'USA' ? 'United States' : text;
}

/**
 * Converts text in capitals to title case: `ELECTRONIC COMPUTERS` becomes `Electronic Computers`.
 */
function inTitleCase(text: string | null): string | null {
  if (text === null || text !== text.toUpperCase()) return text;
  return text.toLowerCase().replace(SEPARATORS, (letter) => letter.toUpperCase());
}
