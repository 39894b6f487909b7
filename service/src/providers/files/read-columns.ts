import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { JsonObject } from '../kit/json.ts';
import { reasonOf } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { CellReader } from './cells.ts';

/** A reader for each column of a kind of file. */
export type Columns<T> = { [Name in keyof T]-?: CellReader<T[Name]> };

/**
 * Reads the columns that a row has; the result omits the others. Throws `unknown-column` for a
 * column that is not in the table, so that no value is lost to a typo. `headerOf` returns a
 * column's name as written in the file, for messages.
 */
export function readColumns<T extends object>(
  row: JsonObject,
  columns: Columns<T>,
  headerOf: (name: string) => string,
): Partial<T> {
  const fields: Partial<T> = {};
  for (const name of Object.keys(row)) {
    if (!isColumn(columns, name)) throw new RowError('unknown-column', `no column ${name}`);
    try {
      fields[name] = columns[name](row, name);
    } catch (error) {
      const { accepted = 'text' } = columns[name];
      throw withCell(error, { column: headerOf(name), value: row[name], accepted });
    }
  }
  return fields;
}

/** Returns the error about a cell with the cell's column, value and accepted values. */
function withCell(error: unknown, cell: Required<RowError>['cell']): unknown {
  const reason = reasonOf(error);
  if (reason === null || cell === null) return error;
  if (!(error instanceof RowError || error instanceof DirtyValueError)) return error;
  const value = JSON.stringify(cell.value) ?? 'missing';
  const text = value.length > 80 ? `${value.slice(0, 80)}…` : value;
  return new RowError(
    reason,
    `column "${cell.column}" is ${text}; accepted: ${cell.accepted}`,
    cell,
  );
}

function isColumn<T extends object>(columns: Columns<T>, name: string): name is string & keyof T {
  return Object.hasOwn(columns, name);
}
