import type { Bar } from '../api/calls.gen.ts';
import type { CompanyEarningsRow, EarningsReaction } from '../api/reads.gen.ts';

export interface ReportMark {
  report: CompanyEarningsRow;
  /** The session of the report, or the next one that has a price. */
  index: number;
  /** In percentage points on the first session after; null while that is not known. */
  firstMove: number | null;
}

/** Reports that fall among the bars, with what the price did after them. */
export function marksOf(
  bars: readonly Bar[],
  reports: readonly CompanyEarningsRow[],
  reactions: readonly EarningsReaction[],
): ReportMark[] {
  const moves = new Map(reactions.map((it) => [it.date, it.reactions[0]?.priceChange ?? null]));
  const first = bars[0]?.date;
  return reports.flatMap((report) => {
    if (first === undefined || report.date < first) return [];
    const index = bars.findIndex(({ date }) => date >= report.date);
    if (index === -1) return [];
    return [{ report, index, firstMove: moves.get(report.date) ?? null }];
  });
}
