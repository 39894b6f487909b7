import { monthOf, yearOf } from '../../../domain/local-date.ts';
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
 * Returns the columns of a table with figures of the reported quarter. The period of a heading above
 * the row completes that of the column.
 */
export function currentColumns(
  table: LabeledTable,
  reported: ReportedPeriod,
  rowPeriod: Period,
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
    .filter(({ period }) => isCurrent(period, reported, latest))
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

function isCurrent(period: Period, reported: ReportedPeriod, latest: Latest): boolean {
  const end = endOf(period);
  if (end !== null) return isSameEnd(end, reported.end);
  const { year, month, quarter } = period;
  if (month !== null && year !== null) {
    return month === monthOf(reported.end) && year === yearOf(reported.end);
  }
  if (quarter !== null) {
    if (reported.quarter !== null && quarter !== reported.quarter) return false;
    return (year ?? 0) * 4 + quarter === latest.quarter;
  }
  if (year === null) return false;
  const years = [yearOf(reported.end), reported.fiscalYear];
  return year === latest.year && years.includes(year);
}
