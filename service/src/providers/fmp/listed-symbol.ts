import { describeValue } from '../../domain/dirty-value-error.ts';
import { entityKeyOrNull, requireSymbol } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';

/**
 * Returns the canonical symbol of a U.S. listing. The source covers exchanges worldwide. It writes
 * foreign listings with a dot and the exchange (`ABCD.TO`) and share classes with a hyphen
 * (`ABCD-B`), so a dot never marks a share class, even though `ABCD.L` looks like one.
 */
export function requireListedSymbol(row: JsonObject): string {
  if (isForeign(row))
    throw new RowError('foreign-symbol', `${describeValue(row['symbol'])} is not a U.S. listing`);
  return requireSymbol(row, 'symbol');
}

/** Returns the entity key for an invalid row, or null for a foreign listing. */
export function listedEntityKey(row: unknown): string | null {
  return isJsonObject(row) && isForeign(row) ? null : entityKeyOrNull(row, 'symbol');
}

function isForeign(row: JsonObject): boolean {
  const symbol = Object.hasOwn(row, 'symbol') ? row['symbol'] : null;
  return typeof symbol === 'string' && /^[^.\s]{1,20}\.[A-Za-z]{1,4}$/.test(symbol.trim());
}
