import { compareBy } from '../../platform/compare.ts';
import { describeWithheld, type WithheldBars } from '../../datasets/bars/withheld.ts';
import type { ReplayReport } from './replay-folder.ts';
import type { DatasetReport } from '../report.ts';

/**
 * Returns the final report on a replay as JSON. `withheld` are the bars that the store withholds
 * after it, and those that it serves under another session.
 */
export function replayJson(report: ReplayReport, withheld: readonly WithheldBars[]): object {
  const quarantineReasons: Record<string, number> = {};
  const recordings = report.recordings.flatMap(({ path, provider, datasets }) =>
    datasets.map(({ quarantineReasons: reasons, ...dataset }) => {
      for (const [reason, count] of Object.entries(reasons)) {
        quarantineReasons[reason] = (quarantineReasons[reason] ?? 0) + count;
      }
      return { path, provider, ...dataset };
    }),
  );
  return { files: report.recordings.length, recordings, quarantineReasons, withheld };
}

interface Line {
  name: string;
  files: number;
  rows: number;
  added: number;
  changed: number;
  same: number;
  quarantined: number;
  reasons: Record<string, number>;
}

/**
 * Returns the final report as a table: row counts per provider and data set, rejected recordings,
 * and the bars that the store withholds.
 */
export function replayTable(report: ReplayReport, withheld: readonly WithheldBars[]): string {
  const lines = new Map<string, Line>();
  const rejected = new Map<string, number>();
  for (const { provider, datasets } of report.recordings) {
    for (const dataset of datasets) {
      if (dataset.outcome === 'ingested') add(lines, `${provider} ${dataset.dataset}`, dataset);
      else {
        const label = `${dataset.outcome}: ${provider ?? '-'} ${dataset.reason ?? ''}`.trim();
        rejected.set(label, (rejected.get(label) ?? 0) + 1);
      }
    }
  }
  const rows = [...lines.values()].toSorted(compareBy(({ name }) => name));
  const total = sumOf(rows, report.recordings.length);
  const table = [HEADER, ...rows.map(cellsOf), cellsOf(total)];
  const reasons = rows.flatMap(({ name, reasons: counts }) =>
    Object.entries(counts).map(([reason, count]) => `  ${count} × ${name}: ${reason}`),
  );
  return [
    ...align(table),
    ...(reasons.length > 0 ? ['quarantined:', ...reasons] : []),
    ...(withheld.length > 0 ? ['withheld by the store:'] : []),
    ...withheld.map((bars) => `  ${describeWithheld(bars)}`),
    ...(rejected.size > 0 ? ['not ingested:'] : []),
    ...[...rejected]
      .toSorted(compareBy(([label]) => label))
      .map(([label, count]) => `  ${count} × ${label}`),
    '',
  ].join('\n');
}

const HEADER = ['provider, data set', 'files', 'rows', 'new', 'changed', 'same', 'quarantined'];

function add(lines: Map<string, Line>, name: string, dataset: DatasetReport): void {
  const line = lines.get(name) ?? emptyLine(name);
  lines.set(name, line);
  line.files++;
  line.rows += dataset.rowsSeen;
  line.added += dataset.rowsNew;
  line.changed += dataset.rowsChanged;
  line.same += dataset.rowsSame;
  line.quarantined += dataset.rowsQuarantined;
  for (const [reason, count] of Object.entries(dataset.quarantineReasons)) {
    line.reasons[reason] = (line.reasons[reason] ?? 0) + count;
  }
}

function sumOf(lines: readonly Line[], files: number): Line {
  const total = { ...emptyLine('total'), files };
  for (const line of lines) {
    total.rows += line.rows;
    total.added += line.added;
    total.changed += line.changed;
    total.same += line.same;
    total.quarantined += line.quarantined;
  }
  return total;
}

function emptyLine(name: string): Line {
  return { name, files: 0, rows: 0, added: 0, changed: 0, same: 0, quarantined: 0, reasons: {} };
}

function cellsOf(line: Line): string[] {
  const counts = [line.files, line.rows, line.added, line.changed, line.same, line.quarantined];
  return [line.name, ...counts.map((count) => count.toLocaleString('en-US'))];
}

function align(rows: readonly string[][]): string[] {
  const widths = HEADER.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
