import { addMonths, monthOf, yearOf } from '../../../domain/local-date.ts';
import type { TableColumn } from './columns.ts';
import { endOf, isSameEnd, type Period, withDefaults } from './period.ts';
import type { ReportedPeriod } from './settle-period.ts';
import { isForecastColumn, type LabeledTable } from './table-traits.ts';

/** A column with the figures of the reported quarter. */
export interface CurrentColumn {
  index: number;
  column: TableColumn;
  /** The head names the quarter; otherwise only the date, which a longer period shares. */
  isQuarter: boolean;
}

/**
 * Returns the columns of a table with figures of the reported quarter, or of the same quarter
 * `yearsBack` years before. The period of a heading above the row completes that of the column.
 */
export function currentColumns(
  table: LabeledTable,
  reported: ReportedPeriod,
  rowPeriod: Period,
  yearsBack = 0,
): CurrentColumn[] {
  const columns = table.columns.map((column, index) => ({
    column,
    index,
    period: withDefaults(column.period, rowPeriod),
  }));
  const usable = columns.filter(
    ({ column, period }) =>
      column.isFigures && !isForecastColumn(column) && (period.months ?? 3) === 3,
  );
  const latest = latestOf(usable.map(({ period }) => period));
  return usable
    .filter(({ period }) => isCurrent(period, reported, { latest, yearsBack }))
    .map(({ index, column, period }) => ({ index, column, isQuarter: period.months === 3 }));
}

interface Latest {
  year: number;
  /** Year and quarter as one number. */
  quarter: number;
}

function latestOf(periods: readonly Period[]): Latest {
  const years = periods.flatMap(({ year }) => year ?? []);
  const quarters = periods.flatMap(({ year, quarter }) =>
    quarter === null ? [] : (year ?? 0) * 4 + quarter,
  );
  return { year: Math.max(0, ...years), quarter: Math.max(0, ...quarters) };
}

/**
 * Returns the column with the same quarter of the year before, in the same currency and among the
 * columns that `isUsable` accepts; null if it is missing or ambiguous.
 */
export function yearAgoColumn(
  table: LabeledTable,
  reported: ReportedPeriod,
  rowPeriod: Period,
  isUsable: (column: TableColumn) => boolean,
): CurrentColumn | null {
  const columns = currentColumns(table, reported, rowPeriod, 1).filter(({ column }) =>
    isUsable(column),
  );
  return columns.length === 1 ? (columns[0] ?? null) : null;
}

function isCurrent(
  period: Period,
  reported: ReportedPeriod,
  { latest, yearsBack }: { latest: Latest; yearsBack: number },
): boolean {
  const reportedYear = yearOf(reported.end) - yearsBack;
  const end = endOf(period);
  if (end !== null) return isSameEnd(end, addMonths(reported.end, -12 * yearsBack));
  const { year, month, quarter } = period;
  if (month !== null && year !== null) {
    return month === monthOf(reported.end) && year === reportedYear;
  }
  if (quarter !== null) {
    if (reported.quarter !== null && quarter !== reported.quarter) return false;
    return (year ?? 0) * 4 + quarter === latest.quarter - 4 * yearsBack;
  }
  if (year === null) return false;
  const fiscalYear = reported.fiscalYear === null ? null : reported.fiscalYear - yearsBack;
  return year === latest.year - yearsBack && [reportedYear, fiscalYear].includes(year);
}
