import type { FieldSource } from './row.ts';

/** A value with who said it and since when. */
export interface SourcedValue<Value> {
  value: Value;
  source: FieldSource;
}
