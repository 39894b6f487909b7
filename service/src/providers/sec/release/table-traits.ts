import type { TableColumn } from './columns.ts';
import type { FinancialRow, FinancialTable } from './financial-table.ts';
import {
  isLenderLabel,
  isNetIncomeLabel,
  type PerShareLabel,
  readPerShareLabel,
  readRevenueLabel,
  type RevenueLabel,
} from './row-labels.ts';

/** A table with the meaning of its rows. */
export interface LabeledTable extends FinancialTable {
  perShare: (PerShareLabel | null)[];
  revenue: (RevenueLabel | null)[];
  /** Has net income and results per share, or net income and revenue. */
  isStatement: boolean;
  isLender: boolean;
  /** Forecasts, pro forma results or cash flows. Nothing may be taken from it. */
  isExcluded: boolean;
  /** Shows figures beside adjusted ones. */
  isReconciliation: boolean;
}

const EXCLUDED =
  /\b(?:guidance|outlook|forecast(?:ed)?|projected|projections?|targets?|estimated|expectations?|expected)\b/i;
const NOT_STATEMENT = /\b(?:cash flows?|balance sheets?|financial position|segment|pro forma)\b/i;
const RECONCILIATION = /\b(?:reconcil|non-?\s?(?:gaap|ifrs)|adjusted|core earnings)/i;
/** An income statement is never shorter. */
const ROWS_MIN = 6;

export function labelTable(table: FinancialTable): LabeledTable {
  const perShare = table.rows.map(({ label, sections }) => readPerShareLabel(label, sections));
  const revenue = table.rows.map(({ label, sections }) => readRevenueLabel(label, sections));
  const { nearTitle, rows, columns } = table;
  const hasNetIncome = rows.some(({ label }) => isNetIncomeLabel(label));
  const hasResults = [...perShare, ...revenue].some((label) => label !== null);
  const isStatement =
    hasNetIncome && hasResults && rows.length >= ROWS_MIN && !NOT_STATEMENT.test(nearTitle);
  return {
    ...table,
    perShare,
    revenue,
    isStatement,
    isLender: rows.some(({ label }) => isLenderLabel(label)),
    isExcluded: columns.every(isForecastColumn) || (EXCLUDED.test(nearTitle) && !isStatement),
    isReconciliation: RECONCILIATION.test(nearTitle),
  };
}

export function isForecastColumn({ head }: TableColumn): boolean {
  return EXCLUDED.test(head) || /\b(?:low|high|midpoint)\b/i.test(head);
}

/** Returns true if the column is neither adjusted nor an adjustment. */
export function isReportedColumn({ ownHead }: TableColumn): boolean {
  return (
    !isAdjustedColumn(ownHead) &&
    !/\badjustments?\b|\bpro ?forma\b|\bconstant currency\b/i.test(ownHead)
  );
}

export function isAdjustedColumn(head: string): boolean {
  return (
    /\b(?:non-?\s?(?:gaap|ifrs)|adjusted|core|underlying|excluding|normalized|operating)\b/i.test(
      head,
    ) && !/\bgaap\b(?<!non-?\s?gaap)|\bas reported\b|\badjustments?\b/i.test(head)
  );
}

/** Returns the label of a row, with the headings above it if it needs them, as `Diluted` does. */
export function cellName({ label, sections }: FinancialRow): string {
  const needsHeadings = !/\b(?:per|eps|revenues?|sales)\b/i.test(label);
  return [...(needsHeadings ? sections : []), label].filter((part) => part !== '').join(' > ');
}
