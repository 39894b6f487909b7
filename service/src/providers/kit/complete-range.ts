import { parseLocalDate } from '../../domain/local-date.ts';
import type { SourceResponse, DatasetName, ParseResult } from '../provider.ts';

/**
 * Marks an answer to `from=&to=` as a list of everything the source knows of these days, unless it
 * holds as many rows as an answer ever does: then it may have been cut off. One that was asked about
 * a symbol lacks everybody else.
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
