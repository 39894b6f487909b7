import { describeValue } from '../../domain/dirty-value-error.ts';
import { requireSymbol, entityKeyOrNull } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';

/**
 * The canonical symbol of a row, for securities listed in the United States. The source covers the
 * world and writes other listings with a dot and the exchange (`ABCD.TO`), class shares with a
 * hyphen (`ABCD-B`): a dot is never a share class here, though `ABCD.L` reads like one.
 */
export function requireListedSymbol(row: JsonObject): string {
  if (isForeign(row))
    throw new RowError('foreign-symbol', `${describeValue(row['symbol'])} is not listed here`);
  return requireSymbol(row, 'symbol');
}

/** Whom a bad row is about; of a foreign listing nobody whom a symbol of ours names. */
export function listedEntityKey(row: unknown): string | null {
  return isJsonObject(row) && isForeign(row) ? null : entityKeyOrNull(row, 'symbol');
}

function isForeign(row: JsonObject): boolean {
  const symbol = Object.hasOwn(row, 'symbol') ? row['symbol'] : null;
  return typeof symbol === 'string' && /^[^.\s]{1,20}\.[A-Za-z]{1,4}$/.test(symbol.trim());
}
