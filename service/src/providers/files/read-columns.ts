import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';

/**
 * A reader for each column, which takes the row and the column name and returns the field's value.
 */
export type Columns<T> = { [Name in keyof T]-?: (row: JsonObject, name: string) => T[Name] };

/**
 * Reads the columns that a row has; the result omits the others. Throws `unknown-column` for a
 * column that is not in the table, so that no value is lost to a typo.
 */
export function readColumns<T extends object>(row: JsonObject, columns: Columns<T>): Partial<T> {
  const fields: Partial<T> = {};
  for (const name of Object.keys(row)) {
    if (!isColumn(columns, name)) throw new RowError('unknown-column', `no column ${name}`);
    fields[name] = columns[name](row, name);
  }
  return fields;
}

function isColumn<T extends object>(columns: Columns<T>, name: string): name is string & keyof T {
  return Object.hasOwn(columns, name);
}
