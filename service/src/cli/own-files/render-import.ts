import type { ImportResult } from '../../ingest/own-files/import-file.ts';
import type { OverruledValue } from '../../ingest/own-files/overruled-values.ts';
import type { ResponseReport, RowResult } from '../../ingest/report.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { OwnFile } from './open-own-files.ts';

export interface FileReport extends OwnFile, ImportResult {}

interface Counts {
  new: number;
  changed: number;
  same: number;
  quarantined: number;
}

export function countsOf({ datasets }: ResponseReport): Counts {
  const counts: Counts = { new: 0, changed: 0, same: 0, quarantined: 0 };
  for (const { rowsNew, rowsChanged, rowsSame, rowsQuarantined } of datasets) {
    counts.new += rowsNew;
    counts.changed += rowsChanged;
    counts.same += rowsSame;
    counts.quarantined += rowsQuarantined;
  }
  return counts;
}

/** Maximum number of rows of each list in the text report. `--json` has all of them. */
const LISTED_MAX = 100;

/** Returns the report as text. A preview lists every row, an import only rows with a problem. */
export function renderReports(reports: readonly FileReport[], isDryRun: boolean): string {
  const parts = reports.map((report) => renderReport(report, isDryRun));
  return `${parts.join('\n\n')}\n${isDryRun ? '\nDry run: nothing is stored.\n' : ''}`;
}

function renderReport(
  { path, description, report, rows, overruled }: FileReport,
  isDryRun: boolean,
): string {
  const counts = countsOf(report);
  const used = description.columns.filter(({ header, column }) => isRenamed(header, column));
  const unused = description.columns.filter(({ column }) => column === null);
  const quarantineReasons = Object.entries(report.datasets[0]?.quarantineReasons ?? {});
  const listed = rows.filter(({ outcome }) => outcome === 'quarantined').length;
  return [
    `${path}: ${description.rowCount} rows of ${description.kind}`,
    ...(used.length > 0
      ? [`  columns: ${used.map(({ header, column }) => `${header} → ${column}`).join(', ')}`]
      : []),
    ...(unused.length > 0
      ? [`  not used: ${unused.map(({ header }) => header || '(no name)').join(', ')}`]
      : []),
    `  new ${counts.new}, changed ${counts.changed}, same ${counts.same}, quarantined ${counts.quarantined}`,
    ...limited(rows.filter(({ outcome }) => isDryRun || outcome === 'quarantined').map(renderRow)),
    // Bars of an unfinished session are only counted.
    ...(counts.quarantined > listed
      ? quarantineReasons.map(([reason, count]) => `  ${count} × ${reason}`)
      : []),
    ...limited(overruled.map(renderOverruled)),
  ].join('\n');
}

function isRenamed(header: string, column: string | null): boolean {
  return column !== null && header.toLowerCase() !== column.toLowerCase();
}

function limited(lines: readonly string[]): string[] {
  if (lines.length <= LISTED_MAX) return [...lines];
  return [...lines.slice(0, LISTED_MAX), `  … and ${lines.length - LISTED_MAX} more; see --json`];
}

function renderRow({ outcome, row }: RowResult): string {
  const start = `  line ${row.line ?? '?'}: ${row.entityKey ?? 'unknown'} ${outcome}`;
  if (outcome !== 'quarantined') return start;
  return 'detail' in row ? `${start} (${row.reason}): ${row.detail}` : start;
}

function renderOverruled({ line, symbol, field, own, shown, source }: OverruledValue): string {
  const winner =
    source === null
      ? 'which is computed'
      : `from ${source.provider}/${source.feed} since ${formatInstant(source.seenAt)}`;
  return `  line ${line ?? '?'}: ${symbol} stored, but its ${field} ${own} is not shown: ${shown ?? 'no value'}, ${winner}, takes precedence`;
}

/** Returns the report as JSON, with every row. */
export function importJson(reports: readonly FileReport[], isDryRun: boolean): object {
  return {
    dryRun: isDryRun,
    files: reports.map(({ path, description, report, rows, overruled }) => ({
      path,
      kind: description.kind,
      columns: Object.fromEntries(
        description.columns.map(({ header, column }) => [header, column]),
      ),
      ...countsOf(report),
      rows: rows.map(({ outcome, row }) => ({
        line: row.line ?? null,
        entity: row.entityKey,
        outcome,
        ...('detail' in row && {
          reason: row.reason,
          detail: row.detail,
          column: row.cell?.column ?? null,
          value: row.cell?.value ?? null,
          accepted: row.cell?.accepted ?? null,
        }),
      })),
      overruled: overruled.map(({ source, ...value }) => ({
        ...value,
        source:
          source === null
            ? null
            : { provider: source.provider, feed: source.feed, since: formatInstant(source.seenAt) },
      })),
    })),
  };
}
