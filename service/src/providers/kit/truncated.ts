import type { BadRow, DatasetName, ParseResult } from '../provider.ts';

/**
 * What was read of an answer that holds not all of its rows, with a bad row `answer-cut-off` in the
 * place of those it leaves out: nobody else would tell that they are missing.
 */
export function withTruncatedRow(
  parsed: ParseResult,
  about: { dataset: DatasetName; detail: string },
): ParseResult {
  const rest: BadRow = { ...about, entityKey: null, reason: 'answer-cut-off', row: null };
  return { ...parsed, bad: [...parsed.bad, rest] };
}
