import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';

/** How each column of a file is read: from the row, by its name, to the property's value. */
export type Columns<T> = { [Name in keyof T]-?: (row: JsonObject, name: string) => T[Name] };

/**
 * The columns a row has, read; those it lacks are absent from the result. A column that the table
 * does not know is an `unknown-column`: a misspelt name must not lose its values unseen.
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
