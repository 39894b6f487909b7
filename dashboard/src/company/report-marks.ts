import type { Bar } from '../api/calls.gen.ts';
import type { CompanyEarningsRow, EarningsReaction } from '@afterbell/sdk';

export interface ReportMark {
  report: CompanyEarningsRow;
  /** The index of the bar for the report's date, or of the next bar if that day has no price. */
  index: number;
  /** The first-session price move in percent, or null if it is unknown. */
  firstMove: number | null;
}

/** Returns the reports within the range of the bars, with the price move after each. */
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
