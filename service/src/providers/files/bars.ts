import type { BarObservation } from '../../datasets/bars/observation.ts';
import { entityKeyOrNull, required } from '../kit/fields.ts';
import { readBars } from '../kit/read-bars.ts';
import type { BadRow, ParseResult, SourceResponse } from '../provider.ts';
import { readDate, readPositive, requireSymbol, roundedNumber } from './cells.ts';
import { feedOf, type FileFeed, readLines } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

type BarCells = Omit<BarObservation, 'close' | 'previousClose' | 'marketCap'> & {
  close: string | null;
};

const COLUMNS: Columns<BarCells> = {
  symbol: requireSymbol,
  date: readDate,
  open: readPositive,
  high: readPositive,
  low: readPositive,
  close: readPositive,
  volume: roundedNumber(0, Number.MAX_SAFE_INTEGER),
  basisDate: readDate,
};

/** Daily bars, one per row; `readme.md` lists the columns. */
export const bars: FileFeed = { ...feedOf('bars', COLUMNS), parse };

const entityKeyOf = (row: unknown) => entityKeyOrNull(row, 'symbol');

function parse(response: SourceResponse): ParseResult {
  const lines = new Map<unknown, number>();
  const bad: BadRow[] = [];
  const spec = { dataset: 'bars', columns: COLUMNS, entityKeyOf } as const;
  for (const { line, result } of readLines(response, spec, toBar)) {
    if ('row' in result) lines.set(result.row, line);
    else bad.push(result.bad);
  }
  const parsed = readBars({
    rows: [...lines.keys()],
    list: null,
    isAdjusted: false,
    entityKeyOf,
    lineOf: (row) => lines.get(row),
    read: (row) => row as unknown as BarObservation,
  });
  return { ...parsed, bad: [...bad, ...parsed.bad] };
}

function toBar(cells: Partial<BarCells>): BarObservation {
  return {
    symbol: required(cells.symbol ?? null, 'symbol'),
    date: required(cells.date ?? null, 'date'),
    open: cells.open ?? null,
    high: cells.high ?? null,
    low: cells.low ?? null,
    close: required(cells.close ?? null, 'close'),
    previousClose: null,
    volume: cells.volume ?? null,
    basisDate: cells.basisDate ?? null,
  };
}
