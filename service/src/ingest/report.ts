import type { SourceResponseError } from '../providers/provider.ts';

/** What became of one answer, per data set that it fills. */
export interface ResponseReport {
  /** Null when no provider claims the answer. */
  provider: string | null;
  feed: string | null;
  datasets: DatasetReport[];
  /** True when the body is broken, rather than a source's proper answer. */
  isDamaged: boolean;
  /** Why the answer as a whole was rejected; absent when it was not. */
  rejectedAs?: SourceResponseError['kind'];
}

export interface DatasetReport {
  dataset: string | null;
  outcome: 'ingested' | 'rejected' | 'unsupported';
  reason: string | null;
  /** The sum of the four below. */
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
