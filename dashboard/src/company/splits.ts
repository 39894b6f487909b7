import type { CompanyEarningsRow } from '../api/reads.gen.ts';

export interface Split {
  /** New shares per old share. */
  factor: number;
  /** Date of the last report before the split. */
  after: string;
  /** Date of the first report after the split. */
  until: string;
}

const DIGITS = 6;

/** Splits derived from the reports' cumulative split factors, newest first. */
export function splitsOf(reports: readonly CompanyEarningsRow[]): Split[] {
  return reports.flatMap((report, place) => {
    const before = reports[place + 1];
    if (before === undefined || before.splitFactor === report.splitFactor) return [];
    const factor = Number((before.splitFactor / report.splitFactor).toPrecision(DIGITS));
    return [{ factor, after: before.date, until: report.date }];
  });
}
