import type { BadRow, ParseResult } from '../providers/provider.ts';

export const ALL_ROWS_INVALID = 'no-good-row';

/** Fewer rows than these may all be faulty, each for itself. */
const ROWS_MIN = 10;
/** What says that a row cannot be read; others say that it is of no use here. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'not-an-object',
  'wrong-type',
  'missing-field',
  'unclean-text',
  'unknown-column',
  'bad-symbol',
  'bad-date',
  'bad-time',
  'bad-number',
  'bad-shape',
]);

/**
 * Whether an answer has rows of which not one can be read, as when a source renames a field. They are
 * kept with their reasons, but that was no good answer: its data sets must grow stale.
 */
export function areAllRowsInvalid({
  rows,
  bars,
  bad,
}: Pick<ParseResult, 'rows' | 'bars'> & {
  bad: readonly BadRow[];
}): boolean {
  if (rows.length > 0 || (bars?.rows.length ?? 0) > 0 || bad.length < ROWS_MIN) return false;
  return bad.every(({ reason }) => UNREADABLE.has(reason));
}
