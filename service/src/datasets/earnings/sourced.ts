import type { FieldSource } from './row.ts';

/** A value with who said it and since when. */
export interface Sourced<Value> {
  value: Value;
  source: FieldSource;
}
