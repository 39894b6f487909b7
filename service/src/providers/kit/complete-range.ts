import { parseLocalDate } from '../../domain/local-date.ts';
import type { DatasetName, ParseResult, SourceResponse } from '../provider.ts';

/**
 * Marks a response to `from=&to=` as complete for these dates, unless it has the maximum number of
 * rows and may be truncated. A response for a single symbol is never complete.
 */
export function withCompleteRange(
  parsed: ParseResult,
  { url }: SourceResponse,
  { dataset, rowsMax }: { dataset: DatasetName; rowsMax: number },
): ParseResult {
  const { searchParams } = new URL(url);
  const from = parseLocalDate(searchParams.get('from') ?? '');
  const to = parseLocalDate(searchParams.get('to') ?? '');
  const isSingleSymbol = (searchParams.get('symbol') ?? '') !== '';
  const isBelowLimit = parsed.rows.length + parsed.bad.length < rowsMax;
  if (from === null || to === null || from > to || isSingleSymbol || !isBelowLimit) return parsed;
  return { ...parsed, completeRange: { dataset, from, to } };
}
