import { rowHash } from '../datasets/quarantine/store.ts';
import type { BadRow, ParsedRow } from '../providers/provider.ts';

/**
 * Lets in the bad rows that an operator accepted before, and holds back what the same answer says of
 * the same things instead.
 */
export function withAccepted(
  { rows, bad }: { rows: readonly ParsedRow[]; bad: readonly BadRow[] },
  accepted: ReadonlySet<string>,
): { rows: ParsedRow[]; bad: BadRow[] } {
  const chosen = new Map<string, ParsedRow>();
  const left = bad.filter(({ parsed, row }) => {
    if (parsed === undefined || !accepted.has(rowHash(row))) return true;
    chosen.set(keyOf(parsed), parsed);
    return false;
  });
  const [overruled, kept] = [
    rows.filter((row) => chosen.has(keyOf(row))),
    rows.filter((row) => !chosen.has(keyOf(row))),
  ];
  return { rows: [...kept, ...chosen.values()], bad: [...left, ...overruled.map(toBad)] };
}

function toBad(row: ParsedRow): BadRow {
  return {
    dataset: row.dataset,
    entityKey: row.entityKey,
    reason: 'overruled-row',
    detail: 'an operator accepted another row of the same answer in its place',
    row: row.fields,
    parsed: row,
  };
}

function keyOf({ dataset, entityKey: subject, naturalKey }: ParsedRow): string {
  return JSON.stringify([dataset, subject, naturalKey]);
}
