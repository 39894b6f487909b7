import type { Bar } from '../api/calls.gen.ts';
import type { CompanyEarningsRow, EarningsReaction } from '../api/reads.gen.ts';

export interface ReportMark {
  report: CompanyEarningsRow;
  /** The bar of the report's date, or the next one with a price. */
  index: number;
  /** First-session move in percent; null if unknown. */
  firstMove: number | null;
}

/** The reports within the range of the bars, with the move after them. */
export function placeReports(
  bars: readonly Bar[],
  reports: readonly CompanyEarningsRow[],
  reactions: readonly EarningsReaction[],
): ReportMark[] {
  const moves = new Map(
    reactions.map((reaction) => [reaction.date, reaction.reactions[0]?.priceChange ?? null]),
  );
  const first = bars[0]?.date;
  return reports.flatMap((report) => {
    if (first === undefined || report.date < first) return [];
    const index = bars.findIndex(({ date }) => date >= report.date);
    if (index === -1) return [];
    return [{ report, index, firstMove: moves.get(report.date) ?? null }];
  });
}
