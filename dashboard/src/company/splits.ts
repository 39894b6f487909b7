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
export function findSplits(reports: readonly CompanyEarningsRow[]): Split[] {
  return reports.flatMap((report, index) => {
    const older = reports[index + 1];
    if (older === undefined || older.splitFactor === report.splitFactor) return [];
    const factor = Number((older.splitFactor / report.splitFactor).toPrecision(DIGITS));
    return [{ factor, after: older.date, until: report.date }];
  });
}
