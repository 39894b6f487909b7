import type { SecurityObservation } from '../../../datasets/securities/observation.ts';
import { entityKeyOrNull, readText, requireSymbol } from '../../kit/fields.ts';
import type { JsonObject } from '../../kit/json.ts';
import { readRows } from '../../kit/read-rows.ts';
import type { ParsedRow, ParseResult } from '../../provider.ts';
import { requireCik } from '../edgar.ts';

/**
 * Reads untrusted rows `{ticker, cik, name, exchange}` as rows of `securities`. The entity key is
 * the canonical symbol and the natural key is the CIK.
 */
export function readSecurities(rows: readonly unknown[]): ParseResult {
  const entityKeyOf = (row: unknown): string | null => entityKeyOrNull(row, 'ticker');
  return readRows({ dataset: 'securities', rows, entityKeyOf, read });
}

function read(row: JsonObject): ParsedRow<'securities'> {
  const symbol = requireSymbol(row, 'ticker');
  const cik = requireCik(row['cik']);
  const fields: SecurityObservation = {
    symbol,
    cik,
    name: readText(row, 'name'),
    exchange: readText(row, 'exchange'),
  };
  return { dataset: 'securities', entityKey: symbol, naturalKey: cik, fields };
}
