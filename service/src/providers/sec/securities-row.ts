import type { SecurityObservation } from '../../datasets/securities/observation.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import type { BadRow, Parsed, ParsedRow } from '../provider.ts';
import { textOf } from './answer-body.ts';
import { parseCik } from './edgar.ts';

/** One ticker of one filer as EDGAR lists it, nothing trusted yet. */
export interface RawSecurity {
  ticker: unknown;
  cik: unknown;
  name: unknown;
  exchange: unknown;
  /** The row as it came, kept when it is bad. */
  row: unknown;
}

/**
 * Rows of the data set `securities`: subject is the canonical symbol, natural key the CIK. Two
 * spellings of one security under one filer become one row, the first.
 */
export function readSecurities(securities: Iterable<RawSecurity>): Parsed {
  const rows = new Map<string, ParsedRow>();
  const bad: BadRow[] = [];
  for (const security of securities) {
    const row = readSecurity(security);
    if ('reason' in row) bad.push(row);
    else if (!rows.has(keyOf(row))) rows.set(keyOf(row), row);
  }
  return { rows: [...rows.values()], bad };
}

function readSecurity(security: RawSecurity): ParsedRow | BadRow {
  const ticker = textOf(security.ticker);
  const symbol = ticker === null ? null : parseSymbol(ticker);
  if (symbol === null) return reject(security, 'bad-symbol', `ticker ${String(security.ticker)}`);
  const cik = parseCik(security.cik);
  if (cik === null) return reject(security, 'bad-cik', `${symbol}: CIK ${String(security.cik)}`);
  const fields: SecurityObservation = {
    symbol,
    cik,
    name: textOf(security.name),
    exchange: textOf(security.exchange),
  };
  return { dataset: 'securities', subject: symbol, naturalKey: cik, fields };
}

function reject(security: RawSecurity, reason: string, detail: string): BadRow {
  return { dataset: 'securities', subject: null, reason, detail, row: security.row };
}

function keyOf(row: ParsedRow): string {
  return `${row.subject} ${row.naturalKey}`;
}
