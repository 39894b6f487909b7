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
/** Parts of a title that are next to the table. */
const TITLE_PARTS = 4;

export function labelTable(table: FinancialTable): LabeledTable {
  const perShare = table.rows.map(({ label, sections }) => readPerShareLabel(label, sections));
  const revenue = table.rows.map(({ label, sections }) => readRevenueLabel(label, sections));
  const title = table.title.split(' | ').filter((part) => part.length < 160);
  const near = title.slice(-TITLE_PARTS).join(' | ');
  const hasNetIncome = table.rows.some(({ label }) => isNetIncomeLabel(label));
  const isForecast = EXCLUDED.test(near) || table.columns.every(isForecastColumn);
  return {
    ...table,
    perShare,
    revenue,
    isStatement:
      hasNetIncome &&
      (perShare.some((label) => label !== null) || revenue.some((label) => label !== null)) &&
      table.rows.length >= 6 &&
      !NOT_STATEMENT.test(near),
    isLender: table.rows.some(({ label }) => isLenderLabel(label)),
    isExcluded: isForecast,
    isReconciliation: RECONCILIATION.test(near),
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
