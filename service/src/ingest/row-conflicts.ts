import { canonicalJson } from '../datasets/source-records/canonical-json.ts';
import type { BadRow, ParsedRow } from '../providers/provider.ts';

/**
 * One answer may say a thing once. Rows that repeat another word for word are counted and left;
 * rows that contradict an earlier one of the same thing are bad, since nothing tells which is true.
 */
export function withoutConflicts(rows: readonly ParsedRow[]): {
  rows: ParsedRow[];
  conflicting: BadRow[];
  repeated: ParsedRow[];
} {
  const first = new Map<string, string>();
  const kept: ParsedRow[] = [];
  const conflicting: BadRow[] = [];
  const repeated: ParsedRow[] = [];
  for (const row of rows) {
    const key = JSON.stringify([row.dataset, row.entityKey, row.naturalKey]);
    const said = canonicalJson(row.fields);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, said);
      kept.push(row);
    } else if (earlier === said) {
      repeated.push(row);
    } else {
      conflicting.push({
        dataset: row.dataset,
        entityKey: row.entityKey,
        reason: 'conflicting-row',
        detail: 'the same answer says something else of this before',
        row: row.fields,
        parsed: row,
      });
    }
  }
  return { rows: kept, conflicting, repeated };
}
