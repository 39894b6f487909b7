import type { JsonObject } from './json.ts';
import { readText } from './fields.ts';
import { RowError } from './row-error.ts';

const LENGTH_MAX = 60;

/** A figure as published, such as `0.4%` or `1.25M`: text to serve, never a sentence. */
export function readPublishedText(row: JsonObject, key: string): string | null {
  const text = readText(row, key);
  if (text === null || text.length <= LENGTH_MAX) return text;
  throw new RowError('overlong-text', `${key} has ${text.length} characters`);
}
