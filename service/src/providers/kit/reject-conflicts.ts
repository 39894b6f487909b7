import type { BadRow, ParsedRow, ParseResult } from '../provider.ts';
import { canonicalJson } from './canonical-json.ts';

/** Values that mean "unknown", which do not conflict with any value in another row. */
const UNKNOWN: ReadonlySet<string> = new Set([null, 'time-not-supplied'].map(canonicalJson));
const ABSENT = 'absent';

/**
 * Handles rows with the same key in one response. The first row is kept. A later row that differs
 * becomes an invalid row `conflicting-duplicate`, which lists the differing fields. If a value is
 * unknown in either row, the rows are merged, and both then have all known values, in any order.
 * Identical repeats are harmless and are kept.
 *
 * Ingestion applies this to each response. A feed does so only if it uses its rows while parsing.
 */
export function rejectConflicts<Row extends ParsedRow>(parsed: ParseResult<Row>): ParseResult<Row> {
  const rowByKey = new Map<string, Row>();
  const accepted: ParseResult<Row> = { rows: [], bad: [...parsed.bad] };
  for (const row of parsed.rows) {
    const key = keyOf(row);
    const earlier = rowByKey.get(key);
    const differing = earlier === undefined ? [] : differingKeys(earlier.fields, row.fields);
    if (earlier === undefined) {
      rowByKey.set(key, row);
    } else if (
      differing.every((fieldName) => isUnknownToOne(earlier.fields, row.fields, fieldName))
    ) {
      rowByKey.set(key, join(earlier, row, differing));
    } else {
      accepted.bad.push(conflict(row, differing));
      continue;
    }
    accepted.rows.push(row);
  }
  const rows = accepted.rows.map((row) => ({
    ...(rowByKey.get(keyOf(row)) ?? row),
    ...(row.line !== undefined && { line: row.line }),
  }));
  return { ...parsed, bad: accepted.bad, rows };
}

function keyOf({ dataset, entityKey, naturalKey }: ParsedRow): string {
  return [dataset, entityKey, naturalKey].join('\n');
}

function differingKeys(first: object, second: object): string[] {
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...keys].filter((key) => contentOf(first, key) !== contentOf(second, key));
}

function isUnknownToOne(first: object, second: object, key: string): boolean {
  const contents = [contentOf(first, key), contentOf(second, key)];
  return contents.some((content) => UNKNOWN.has(content)) && !contents.includes(ABSENT);
}

/** Returns the earlier row with its unknown values filled in from the later row. */
function join<Row extends ParsedRow>(earlier: Row, row: Row, differing: readonly string[]): Row {
  const filled = differing
    .filter((key) => UNKNOWN.has(contentOf(earlier.fields, key)))
    .map((key): [string, unknown] => [key, Reflect.get(row.fields, key)]);
  const quote = earlier.quote ?? row.quote;
  return {
    ...earlier,
    fields: { ...earlier.fields, ...Object.fromEntries(filled) },
    ...(quote !== undefined && { quote }),
  };
}

/** Returns the content to compare. An absent property differs from a null property. */
function contentOf(fields: object, key: string): string {
  return Object.hasOwn(fields, key) ? canonicalJson(Reflect.get(fields, key)) : ABSENT;
}

function conflict(row: ParsedRow, differing: readonly string[]): BadRow {
  return {
    dataset: row.dataset,
    entityKey: row.entityKey,
    reason: 'conflicting-duplicate',
    detail: `a second row of ${row.naturalKey} differs in ${differing.join(', ')}`,
    row: row.fields,
    parsed: row,
    ...(row.line !== undefined && { line: row.line }),
  };
}
