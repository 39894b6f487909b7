import { closestMatch } from '../../platform/closest-match.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { badRow } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type {
  BadRow,
  DatasetName,
  Feed,
  ParsedRow,
  ParseResult,
  SourceResponse,
} from '../provider.ts';
import { type ColumnMap, mapColumns } from './column-names.ts';
import { columnOverrides, optionsOf } from './file-options.ts';
import { rejectUnclearComma } from './plain-cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, type FileTable, readTable } from './table.ts';

interface FileFeedSpec<Row extends ParsedRow, Cells extends object> {
  dataset: Row['dataset'];
  columns: Columns<Cells>;
  /** Returns the entity key for an invalid row, or null if unknown; must not throw. */
  entityKeyOf(row: unknown): string | null;
  /** Returns the row for the cells that a line has. Throws `RowError` for an invalid row. */
  toRow(cells: Partial<Cells>): Row;
  /** Completes the rows, which may depend on each other. */
  finish?(parsed: ParseResult<Row>): ParseResult<Row>;
}

/** A feed that reads one kind of operator's file. */
export interface FileFeed extends Feed {
  /** Column names in the order of the documentation. */
  columnNames: readonly string[];
}

/** Creates a feed for a kind of file with one row per line. `readme.md` lists the columns. */
export function fileFeed<Row extends ParsedRow, Cells extends object>(
  spec: FileFeedSpec<Row, Cells>,
): FileFeed {
  const { finish = (parsed) => parsed } = spec;
  return {
    ...feedOf(spec.dataset, spec.columns),
    parse(response): ParseResult {
      const parsed: ParseResult<Row> = { rows: [], bad: [] };
      for (const { line, result } of readLines(response, spec, spec.toRow)) {
        if ('row' in result) parsed.rows.push({ ...result.row, line });
        else parsed.bad.push(result.bad);
      }
      return finish(parsed);
    },
  };
}

/** Returns the parts of a feed that follow from its data set and columns. */
export function feedOf(dataset: DatasetName, columns: object): Omit<FileFeed, 'parse'> {
  return {
    name: dataset,
    datasets: [dataset],
    claims: (response) => datasetOf(response) === dataset,
    columnNames: Object.keys(columns),
  };
}

interface ReadLine<Row> {
  line: number;
  result: { row: Row } | { bad: BadRow };
}

/** Reads every line of a file; an invalid line does not affect the others. */
export function* readLines<Row, Cells extends object>(
  response: SourceResponse,
  spec: {
    dataset: DatasetName;
    columns: Columns<Cells>;
    entityKeyOf(row: unknown): string | null;
  },
  toRow: (cells: Partial<Cells>) => Row,
): Generator<ReadLine<Row>> {
  const table = readTable(response);
  const { constants } = optionsOf(response);
  const columns = columnsOf(response, spec.dataset, Object.keys(spec.columns), table);
  const headers = new Map([...columns.names].map(([header, name]) => [name, header]));
  for (const [index, raw] of table.rows.entries()) {
    const line = table.lineNumbers[index] ?? 0;
    const cells = isJsonObject(raw) ? renameCells(raw, columns, constants) : raw;
    try {
      if (!isJsonObject(cells)) throw notARow(cells, table.headers.length);
      if (table.isCommaUnclear === true) {
        for (const [name, cell] of Object.entries(cells)) {
          rejectUnclearComma(headers.get(name) ?? name, cell);
        }
      }
      rejectUnknownColumns(cells, spec.columns);
      const read = readColumns(cells, spec.columns, (name) => headers.get(name) ?? name);
      yield { line, result: { row: toRow(read) } };
    } catch (error) {
      yield { line, result: { bad: { ...badRow(spec, cells, error), line } } };
    }
  }
}

/** Returns the columns of a file of the given kind. */
export function columnsOf(
  response: SourceResponse,
  kind: DatasetName,
  columnNames: readonly string[],
  table: FileTable,
): ColumnMap {
  return mapColumns(kind, table.headers, columnNames, columnOverrides(optionsOf(response)));
}

function renameCells(
  row: JsonObject,
  { names }: ColumnMap,
  constants: readonly (readonly [string, string])[],
): JsonObject {
  const cells = Object.entries(row).flatMap(([header, cell]) => {
    const name = names.get(header);
    return name === null ? [] : [[name ?? header, cell] as const];
  });
  return Object.fromEntries([...constants, ...cells]);
}

function rejectUnknownColumns(cells: JsonObject, columns: object): void {
  const unknown = Object.keys(cells).find((name) => !Object.hasOwn(columns, name));
  if (unknown === undefined) return;
  const match = closestMatch(unknown, Object.keys(columns));
  const hint = match === null ? '' : `; did you mean ${match}?`;
  throw new RowError('unknown-column', `no column ${unknown}${hint}`);
}

function notARow(cells: unknown, columnCount: number): RowError {
  const detail = Array.isArray(cells)
    ? `the line has ${cells.length} cells, the header ${columnCount}`
    : 'the row is not an object';
  return new RowError('not-an-object', detail);
}
