import type { SqlScalar } from '../db.ts';

/**
 * Rows as one array a column, for `unnest($1::text[], $2::int4[], …)`: so a statement takes in many
 * rows at once. Every row has `width` values.
 */
export function toColumns(rows: readonly (readonly SqlScalar[])[], width: number): SqlScalar[][] {
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null));
}
