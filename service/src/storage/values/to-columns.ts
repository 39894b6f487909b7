import type { SqlScalar } from '../db.ts';

/**
 * Transposes rows to one array per column, for `unnest($1::text[], $2::int4[], …)`. Every row has
 * `width` values.
 */
export function toColumns(rows: readonly (readonly SqlScalar[])[], width: number): SqlScalar[][] {
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null));
}
