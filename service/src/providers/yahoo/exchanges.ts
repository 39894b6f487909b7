import { readText } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';

/** The source's codes of exchanges, and what others call them. */
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

/** The exchange by its code; of an unknown one the name that the source gives under `nameKey`. */
export function readExchange(row: JsonObject, nameKey: string): string | null {
  return EXCHANGES.get(row['exchange']) ?? readText(row, nameKey);
}
