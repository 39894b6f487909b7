import type { CompanyEarningsRow } from '../api/reads.gen.ts';

export interface Split {
  /** Shares that one became. */
  factor: number;
  /** Day of the last report before it. */
  after: string;
  /** Day of the first report after it. */
  until: string;
}

const DIGITS = 6;

/** Splits as reports tell of them, newest first: the product of splits since changes between two. */
export function splitsOf(reports: readonly CompanyEarningsRow[]): Split[] {
  return reports.flatMap((report, place) => {
    const before = reports[place + 1];
    if (before === undefined || before.splitFactor === report.splitFactor) return [];
    const factor = Number((before.splitFactor / report.splitFactor).toPrecision(DIGITS));
    return [{ factor, after: before.date, until: report.date }];
  });
}
