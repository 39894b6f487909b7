import type { BadRow, Parsed, ParsedRow } from '../provider.ts';
import { toComparable } from './canonical-json.ts';

/** Contents that tell nothing: another row may tell it without contradicting them. */
const UNKNOWN: ReadonlySet<string> = new Set([null, 'time-not-supplied'].map(toComparable));
const ABSENT = 'absent';

/**
 * Two rows of one answer that say different things of one thing cannot both be right: the first
 * stays, each later one that differs from it becomes a bad row `conflicting-duplicate` that names
 * what differs. Where one of them leaves unknown what the other tells they are joined: both then
 * say all that is known, whichever came first. Identical repeats stay, they do no harm.
 */
export function refuseConflicts(parsed: Parsed): Parsed {
  const joined = new Map<string, ParsedRow>();
  const kept: Parsed = { rows: [], bad: [...parsed.bad] };
  for (const row of parsed.rows) {
    const key = keyOf(row);
    const earlier = joined.get(key);
    const differing = earlier === undefined ? [] : differingKeys(earlier.fields, row.fields);
    if (earlier === undefined) {
      joined.set(key, row);
    } else if (differing.every((each) => isUnknownToOne(earlier.fields, row.fields, each))) {
      joined.set(key, join(earlier, row, differing));
    } else {
      kept.bad.push(conflict(row, differing));
      continue;
    }
    kept.rows.push(row);
  }
  const rows = kept.rows.map((row) => joined.get(keyOf(row)) ?? row);
  return { ...kept, rows };
}

function keyOf({ dataset, subject, naturalKey }: ParsedRow): string {
  return [dataset, subject, naturalKey].join('\n');
}

function differingKeys(left: object, right: object): string[] {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].filter((key) => contentOf(left, key) !== contentOf(right, key));
}

function isUnknownToOne(left: object, right: object, key: string): boolean {
  const contents = [contentOf(left, key), contentOf(right, key)];
  return contents.some((content) => UNKNOWN.has(content)) && !contents.includes(ABSENT);
}

/** The earlier row with what it leaves unknown filled in from the other. */
function join(earlier: ParsedRow, row: ParsedRow, differing: readonly string[]): ParsedRow {
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
  return Object.hasOwn(fields, key) ? toComparable(Reflect.get(fields, key)) : ABSENT;
}

function conflict(row: ParsedRow, differing: readonly string[]): BadRow {
  return {
    dataset: row.dataset,
    subject: row.subject,
    reason: 'conflicting-duplicate',
    detail: `a second row of ${row.naturalKey} differs in ${differing.join(', ')}`,
    row: row.fields,
    parsed: row,
  };
}
