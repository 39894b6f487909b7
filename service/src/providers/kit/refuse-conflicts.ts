import type { BadRow, Parsed, ParsedRow } from '../provider.ts';
import { toComparable } from './to-comparable.ts';

/**
 * Two rows of one answer that say different things of one thing cannot both be right: the first
 * stays, each later one that differs from it becomes a bad row `conflicting-duplicate` that names
 * what differs. Identical repeats stay, they do no harm.
 */
export function refuseConflicts(parsed: Parsed): Parsed {
  const first = new Map<string, ParsedRow>();
  const kept: Parsed = { rows: [], bad: [...parsed.bad] };
  for (const row of parsed.rows) {
    const key = [row.dataset, row.subject, row.naturalKey].join('\n');
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, row);
    const differing = earlier === undefined ? [] : differingKeys(earlier.fields, row.fields);
    if (differing.length === 0) kept.rows.push(row);
    else kept.bad.push(conflict(row, differing));
  }
  return kept;
}

function differingKeys(left: object, right: object): string[] {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].filter((key) => contentOf(left, key) !== contentOf(right, key));
}

/** A property that is absent says something else than one that is null. */
function contentOf(fields: object, key: string): string {
  return Object.hasOwn(fields, key) ? toComparable(Reflect.get(fields, key)) : 'absent';
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
