import type { BadRow, ParsedRow, SourceResponseError } from '../providers/provider.ts';

/** The result of ingesting one response, per data set. */
export interface ResponseReport {
  /** Null if no provider claims the response. */
  provider: string | null;
  feed: string | null;
  datasets: DatasetReport[];
  /** True if the body is broken, as opposed to an error response from the source. */
  isDamaged: boolean;
  /** Kind of error for which the whole response was rejected; absent if it was not. */
  rejectedAs?: SourceResponseError['kind'];
  /** Differences between the market schedule that the source states and the computed one. */
  scheduleDifferences?: readonly string[];
}

export interface DatasetReport {
  dataset: string | null;
  outcome: 'ingested' | 'rejected' | 'unsupported';
  reason: string | null;
  /** Sum of the four counts below. */
  rowsSeen: number;
  rowsNew: number;
  rowsChanged: number;
  rowsSame: number;
  rowsQuarantined: number;
  /** Quarantined rows by reason. */
  quarantineReasons: Record<string, number>;
}

export function emptyReport(
  dataset: string | null,
  outcome: DatasetReport['outcome'],
  reason: string | null = null,
): DatasetReport {
  return {
    dataset,
    outcome,
    reason,
    rowsSeen: 0,
    rowsNew: 0,
    rowsChanged: 0,
    rowsSame: 0,
    rowsQuarantined: 0,
    quarantineReasons: {},
  };
}

/** The result of one row, for reports about single rows. Bars are only counted. */
export type RowResult =
  | { outcome: RowOutcome; row: ParsedRow }
  | { outcome: 'quarantined'; row: BadRow };

type RowOutcome = 'new' | 'changed' | 'same';

export function countRow(report: DatasetReport, outcome: RowOutcome): void {
  countRows(report, outcome, 1);
}

export function countRows(report: DatasetReport, outcome: RowOutcome, rows: number): void {
  report.rowsSeen += rows;
  if (outcome === 'new') report.rowsNew += rows;
  else if (outcome === 'changed') report.rowsChanged += rows;
  else report.rowsSame += rows;
}

export function countQuarantined(report: DatasetReport, reason: string): void {
  report.rowsSeen++;
  report.rowsQuarantined++;
  report.quarantineReasons[reason] = (report.quarantineReasons[reason] ?? 0) + 1;
}
