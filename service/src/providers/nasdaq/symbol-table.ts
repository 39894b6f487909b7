import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';
import { openEnvelope } from './envelope.ts';
import { segmentSymbol } from './request.ts';

export interface SymbolTable {
  /** Taken from the URL path, since not every response contains the symbol. */
  symbol: string;
  /** Null if the source has no such data for the symbol. */
  table: JsonObject | null;
}

/**
 * Opens a response for one symbol. Returns the table `name` in its data, and the symbol, which is
 * the first group in `path`. Throws `error-answer` if there is no such table or the data contain a
 * different symbol, `damaged` if the path has no symbol, and the errors that `openEnvelope` throws.
 */
export function openSymbolTable(response: SourceResponse, path: RegExp, name: string): SymbolTable {
  const data = openEnvelope(response);
  const table = Array.isArray(data) ? undefined : data[name];
  if (table !== null && !isJsonObject(table)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', `no table ${name}`);
  }
  const symbol = segmentSymbol(path.exec(response.path)?.[1] ?? '');
  if (symbol === null) throw new SourceResponseError('damaged', 'bad-url', 'the URL has no symbol');
  const responseSymbol = symbolIn(data);
  if (responseSymbol !== null && responseSymbol !== symbol) {
    throw new SourceResponseError('error-answer', 'symbol-mismatch', `requested ${symbol}`);
  }
  return { symbol, table };
}

/** Returns the symbol in the data, or null if there is none or its spelling is not recognized. */
function symbolIn(data: JsonObject | unknown[]): string | null {
  const text: unknown = Array.isArray(data) ? null : data['symbol'];
  return typeof text === 'string' ? segmentSymbol(text) : null;
}
