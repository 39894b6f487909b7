import type { BadRow, ParseResult, ParsedRow } from '../provider.ts';
import { canonicalJson } from './canonical-json.ts';

/** Contents that tell nothing: another row may tell it without contradicting them. */
const UNKNOWN: ReadonlySet<string> = new Set([null, 'time-not-supplied'].map(canonicalJson));
const ABSENT = 'absent';

/**
 * Two rows of one answer that say different things of one thing cannot both be right: the first
 * stays, each later one that differs from it becomes a bad row `conflicting-duplicate` that names
 * what differs. Where one of them leaves unknown what the other tells they are joined: both then
 * say all that is known, whichever came first. Identical repeats stay, they do no harm.
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
  const rows = accepted.rows.map((row) => rowByKey.get(keyOf(row)) ?? row);
  return { ...accepted, rows };
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

/** The earlier row with what it leaves unknown filled in from the other. */
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

/** A property that is absent says something else than one that is null. */
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
  };
}
