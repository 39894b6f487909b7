import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { daily } from '../../domain/market/due-times.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import { readText } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { type DirectoryTable, readDirectory } from './directory-table.ts';
import { directoryRequest, HOST } from './request.ts';

/** Columns that differ between the two files. */
interface FileLayout {
  file: string;
  fetchedAt: string;
  symbolColumn: string;
  /** Returns the exchange of a row; null for an unknown code. */
  exchangeOf(row: JsonObject): string | null;
}

/** `nasdaqlisted.txt`: every security listed on Nasdaq, published daily. */
export const nasdaqListed: Feed = directoryFeed('nasdaq-listed', {
  file: 'nasdaqlisted.txt',
  fetchedAt: '05:40',
  symbolColumn: 'Symbol',
  exchangeOf: () => 'Nasdaq',
});

const EXCHANGES: ReadonlyMap<string | null, string> = new Map([
  ['A', 'NYSE American'],
  ['N', 'NYSE'],
  ['P', 'NYSE Arca'],
  ['Z', 'Cboe BZX'],
  ['V', 'IEX'],
]);

/** `otherlisted.txt`: every security listed on another U.S. exchange, published daily. */
export const otherListed: Feed = directoryFeed('other-listed', {
  file: 'otherlisted.txt',
  fetchedAt: '05:41',
  symbolColumn: 'ACT Symbol',
  exchangeOf: (row) => EXCHANGES.get(readText(row, 'Exchange')) ?? null,
});

function directoryFeed(name: string, layout: FileLayout): Feed {
  const path = `/dynamic/SymDir/${layout.file}`.toLowerCase();
  return {
    name,
    datasets: ['profiles'],
    schedule: [{ name: 'nightly', times: daily(layout.fetchedAt), scope: 'all' }],
    claims: (response) =>
      response.host === HOST && response.path.split('?', 1)[0]?.toLowerCase() === path,
    parse: (response) => parse(response, layout),
    plan: () => [directoryRequest(layout.file)],
  };
}

function parse(response: SourceResponse, layout: FileLayout): ParseResult {
  const columns = [layout.symbolColumn, 'Security Name', 'Test Issue', 'ETF'];
  const table: DirectoryTable = readDirectory(response, columns);
  return readRows({
    dataset: 'profiles',
    rows: table.rows.filter((row) => !isTestIssue(row)),
    entityKeyOf: (row) => symbolIn(row, layout.symbolColumn),
    read: (row) => readRow(row, layout),
  });
}

/** Returns true for a test issue, such as ZVZZT, which is not a security. */
function isTestIssue(row: unknown): boolean {
  return typeof row === 'object' && row !== null && Reflect.get(row, 'Test Issue') === 'Y';
}

function readRow(row: JsonObject, layout: FileLayout): ParsedRow<'profiles'> {
  const symbol = symbolIn(row, layout.symbolColumn);
  if (symbol === null) {
    throw new RowError(
      'bad-symbol',
      `not a symbol: ${String(row[layout.symbolColumn])}`.slice(0, 100),
    );
  }
  const fields: ProfileObservation = {
    symbol,
    // `Northgate Inc. - Common Stock` is written without the hyphen in other lists.
    companyName: readText(row, 'Security Name')?.replace(/ - (?!.* - )/, ' ') ?? null,
    isEtf: readFlag(row, 'ETF'),
  };
  const exchange = layout.exchangeOf(row);
  if (exchange !== null) fields.exchange = exchange;
  return { dataset: 'profiles', entityKey: symbol, naturalKey: 'profile', fields };
}

/** Reads `Y` or `N`; null for an empty cell, which some rows have. */
function readFlag(row: JsonObject, key: string): boolean | null {
  const text = readText(row, key);
  if (text === null) return null;
  if (text === 'Y' || text === 'N') return text === 'Y';
  throw new RowError('bad-flag', `${key} is ${JSON.stringify(text.slice(0, 20))}`);
}

function symbolIn(row: unknown, key: string): string | null {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, key) : null;
  return typeof value === 'string' ? directorySymbol(value) : null;
}

/**
 * Returns the canonical symbol of a symbol in the directory, or null. A preferred share is written
 * `QUAY$A`, or `QUAY$` without a series, and a warrant `QUAY.W` or `QUAY.W.A`. Units (`QUAY.U`),
 * rights and share classes are written as elsewhere.
 */
export function directorySymbol(text: string): string | null {
  const spelled = text
    .trim()
    .replace(/\$(?=[A-Z]?$)/, '^')
    .replace(/\.W(?=$|\.?[A-Z]$)/, '.WS');
  return parseSymbol(spelled);
}
