import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { compareDecimals, multiplyDecimals } from '../../domain/decimal.ts';
import { positiveOrNull, readText } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type { ParsedRow, ParseResult, QuoteTick } from '../provider.ts';
import type { Modules } from './modules.ts';
import { readFigure } from './values.ts';

/**
 * If all classes together have more shares than one class by at least this factor, there are
 * several classes.
 */
const ONE_CLASS_MAX = '1.1';

/**
 * Combines `assetProfile`, `price` and `defaultKeyStatistics` into one profile. Funds have neither
 * country nor sector. If no value is present, there is no row.
 */
export function readCompany(modules: Modules): ParseResult {
  const { symbol } = modules;
  const row: JsonObject = {
    asset: modules.module('assetProfile'),
    price: modules.module('price'),
    statistics: modules.module('defaultKeyStatistics'),
  };
  const parsed = readRows({
    dataset: 'profiles',
    rows: [row],
    entityKeyOf: () => symbol,
    read: () => readProfile(modules),
  });
  const rows = parsed.rows.filter(({ fields }) => Object.keys(fields).length > 1);
  return { ...parsed, rows };
}

function readProfile(modules: Modules): ParsedRow<'profiles'> {
  const { symbol } = modules;
  const asset = modules.module('assetProfile') ?? {};
  const price = modules.module('price') ?? {};
  const statistics = modules.module('defaultKeyStatistics') ?? {};
  const fields: ProfileObservation = { symbol };
  if ('country' in asset) fields.country = readText(asset, 'country');
  if ('sector' in asset) fields.sector = readText(asset, 'sector');
  if ('industry' in asset) fields.industry = readText(asset, 'industry');
  if ('longName' in price) fields.companyName = readText(price, 'longName');
  if ('exchange' in price) fields.exchange = readExchange(price, 'exchangeName');
  const shares = readShares(statistics);
  if (shares !== null) fields.sharesOutstanding = shares;
  const quote = readMarketCap(price, symbol);
  return {
    dataset: 'profiles',
    entityKey: symbol,
    naturalKey: 'profile',
    fields,
    ...(quote !== null && { quote }),
  };
}

/**
 * Returns the company's share count. The source's count covers one class, so it is used only if
 * there is no other class.
 */
function readShares(statistics: JsonObject): string | null {
  const classShares = positiveOrNull(
    readFigure(statistics['sharesOutstanding']),
    'sharesOutstanding',
  );
  const allShares = positiveOrNull(
    readFigure(statistics['impliedSharesOutstanding']),
    'impliedSharesOutstanding',
  );
  if (classShares === null || allShares === null) return null;
  return compareDecimals(allShares, multiplyDecimals(classShares, ONE_CLASS_MAX)) <= 0
    ? classShares
    : null;
}

/**
 * Reads the market value if it is in dollars. The price is ignored because it changes during the
 * session.
 */
export function readMarketCap(row: JsonObject, symbol: string): QuoteTick | null {
  const marketCap = positiveOrNull(readFigure(row['marketCap']), 'marketCap');
  return marketCap === null || row['currency'] !== 'USD' ? null : { symbol, marketCap };
}

/** Maps the source's exchange codes to the usual exchange names. */
const EXCHANGES: ReadonlyMap<unknown, string> = new Map([
  ['NMS', 'Nasdaq'],
  ['NGM', 'Nasdaq'],
  ['NCM', 'Nasdaq'],
  ['NYQ', 'NYSE'],
  ['ASE', 'NYSE American'],
  ['PCX', 'NYSE Arca'],
  ['BTS', 'Cboe BZX'],
  ['PNK', 'OTC'],
  ['OQB', 'OTC'],
  ['OQX', 'OTC'],
  ['OEM', 'OTC'],
]);

/** Returns the exchange for its code or, if the code is unknown, the name in `nameKey`. */
export function readExchange(row: JsonObject, nameKey: string): string | null {
  return EXCHANGES.get(row['exchange']) ?? readText(row, nameKey);
}
