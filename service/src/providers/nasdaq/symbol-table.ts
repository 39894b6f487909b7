import { parseSymbol } from '../../domain/symbol.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';
import { openEnvelope } from './envelope.ts';

export interface SymbolTable {
  /** As it stands in the path: not every answer names it. */
  symbol: string;
  /** Null when the source has nothing of the kind for the symbol. */
  table: JsonObject | null;
}

/**
 * Opens an answer about one symbol: the table of that name in its data, and the symbol, which is
 * the first group of `path`. Throws `error-answer` when there is no such table at all or the data
 * name another symbol, `damaged` when the path names no symbol, and as `openEnvelope` does.
 */
export function openSymbolTable(response: SourceResponse, path: RegExp, name: string): SymbolTable {
  const data = openEnvelope(response);
  const table = Array.isArray(data) ? undefined : data[name];
  if (table !== null && !isJsonObject(table)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', `no table ${name}`);
  }
  const symbol = parseSymbol(decodeSafely(path.exec(response.path)?.[1] ?? ''));
  if (symbol === null)
    throw new SourceResponseError('damaged', 'bad-url', 'the URL names no symbol');
  const responseSymbol = symbolIn(data);
  if (responseSymbol !== null && responseSymbol !== symbol) {
    throw new SourceResponseError('error-answer', 'symbol-mismatch', `asked for ${symbol}`);
  }
  return { symbol, table };
}

/** Null where the data name nobody, or in a spelling that cannot be told from the one asked for. */
function symbolIn(data: JsonObject | unknown[]): string | null {
  const text: unknown = Array.isArray(data) ? null : data['symbol'];
  return typeof text === 'string' ? parseSymbol(text) : null;
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
