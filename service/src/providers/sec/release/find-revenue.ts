import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  subtractDecimals,
} from '../../../domain/decimal.ts';
import { type CurrentColumn, currentColumns, yearAgoColumn } from './current-columns.ts';
import { figureCurrency, inDocumentCurrency } from './figure-currency.ts';
import type { FinancialRow } from './financial-table.ts';
import type { Finding } from './figure.ts';
import type { Mention } from './prose.ts';
import { normalizeLabel } from './row-labels.ts';
import { scaleOf, type Scale, tableScale } from './scale.ts';
import type { ReportedPeriod } from './settle-period.ts';
import { cellName, isReportedColumn, type LabeledTable } from './table-traits.ts';

interface RevenueCandidate {
  value: Decimal;
  /** The row's value for the quarter a year before; null if the table has none. */
  yearAgo: Decimal | null;
  /** Power of ten of the last digit in the table. */
  precision: number;
  /** Null if the table names none. */
  scale: Scale | null;
  /** The scale of all tables that name one, if it is the same. */
  common: Scale | null;
  strength: 1 | 2 | 3;
  row: string;
  column: string;
  offset: number;
  currency: string;
  /** A line of a lender's income statement, which also has the interest paid. */
  isLenderTotal: boolean;
}

/** Words between two revenue rows that make the second one, after their deduction, the revenue. */
const DEDUCTION =
  /\binterest expense\b|allowance|discount|excise|\breturns\b|rebate|promotional|bad debt|doubtful|contractual/;
const WHOLE_COMPANY = /\b(?:consolidated|total|combined)\b|\b(?:company|group)$/i;

/**
 * Chooses the revenue of the quarter. A lender without a line for all revenue has none: interest
 * income is not added up.
 */
export function findRevenue(
  tables: readonly LabeledTable[],
  reported: ReportedPeriod,
  document: { mentions: readonly Mention[]; currency: string },
): Finding {
  const scales = new Set(
    tables.map(({ title }) => tableScale(title)).filter((each) => each !== null),
  );
  const common = scales.size === 1 ? [...scales][0] : undefined;
  const candidates = tables.flatMap((table) =>
    revenueOf(table, reported, { common: common ?? null, currency: document.currency }),
  );
  const isLender = tables.some((table) => table.isLender && table.isStatement);
  const usable = isLender ? candidates.filter(({ isLenderTotal }) => isLenderTotal) : candidates;
  const scaled = usable.flatMap((candidate) => toScale(candidate, document.mentions));
  for (const strength of [3, 2, 1]) {
    const strong = scaled.filter((each) => each.strength === strength);
    const values = distinct(strong);
    const agreed =
      values.length > 1
        ? values.filter(({ value }) => isMentioned(value, document.mentions))
        : values;
    const [best] = agreed;
    if (values.length === 0) continue;
    if (best === undefined || agreed.length > 1) {
      const found = values.map(({ value }) => value);
      return { refusal: { field: 'revenue', reason: 'conflicting-values', values: found } };
    }
    if (strength === 1 && !isMentioned(best.value, document.mentions)) {
      const reason = 'single-uncertain-place';
      return { refusal: { field: 'revenue', reason, values: [best.value] } };
    }
    const { value, row, column, offset, currency, yearAgo } = best;
    return { figure: { value, unit: currency, row, column, offset, yearAgo } };
  }
  if (usable.length === 0) return null;
  const values = usable.map(({ value }) => value);
  return { refusal: { field: 'revenue', reason: 'unknown-scale', values } };
}

function revenueOf(
  table: LabeledTable,
  reported: ReportedPeriod,
  { common, currency }: { common: Scale | null; currency: string },
): RevenueCandidate[] {
  if (table.isExcluded) return [];
  const index = revenueRow(table);
  const row = table.rows[index];
  if (row === undefined) return [];
  const columns = currentColumns(table, reported, row.period).filter(({ column }) =>
    isReportedColumn(column),
  );
  const column = singleColumn(inDocumentCurrency(columns, currency));
  const cell = column === null ? undefined : row.cells[column.index];
  if (column === null || cell === undefined || cell.value === null || cell.isRatio) return [];
  const isStrong = column.isQuarter && table.isStatement && !table.isReconciliation;
  const scale = scaleOf(row.label) ?? scaleOf(column.column.ownHead) ?? tableScale(table.title);
  const before = yearAgoColumn(table, reported, row.period, isReportedColumn);
  return [
    {
      value: cell.value,
      yearAgo: before === null ? null : (row.cells[before.index]?.value ?? null),
      precision: -cell.decimals,
      scale,
      common,
      isLenderTotal:
        isStrong && table.rows.some(({ label }) => /\binterest expense\b/i.test(label)),
      strength: isStrong ? 3 : column.isQuarter ? 2 : 1,
      row: cellName(row),
      column: column.column.head,
      offset: cell.offset,
      currency: figureCurrency({
        cell,
        column: column.column,
        title: table.title,
        document: currency,
      }),
    },
  ];
}

/** Several columns of the quarter are segments: then the one of the whole company counts. */
function singleColumn(columns: readonly CurrentColumn[]): CurrentColumn | null {
  if (columns.length <= 1) return columns[0] ?? null;
  const whole = columns.filter(({ column }) => WHOLE_COMPANY.test(column.ownHead));
  return whole.length === 1 ? (whole[0] ?? null) : null;
}

/** Returns the index of the row with all revenue, or -1. */
function revenueRow(table: LabeledTable): number {
  const indexOf = (kind: string) => table.revenue.findIndex((label) => label?.kind === kind);
  const total = indexOf('total');
  const net = indexOf('net');
  const plain = table.revenue.findIndex(
    (label, index) => label?.kind === 'plain' && hasAmounts(table.rows[index]),
  );
  const first = total >= 0 ? total : plain;
  if (first < 0) return net >= 0 ? net : rowOfSection(table);
  if (net > first && isAfterDeduction(table, first, net)) return net;
  // `Net sales` and other revenue add up to a total further down.
  return first;
}

function isAfterDeduction(table: LabeledTable, first: number, net: number): boolean {
  const between = table.rows.slice(first + 1, net);
  return (
    net - first <= 6 &&
    between.some(({ label, sections }) =>
      DEDUCTION.test(normalizeLabel([...sections, label].join(' '))),
    )
  );
}

/**
 * Below the heading `Revenues:`, the total is the last row, without a label or called `Total`. A
 * single row is all revenue.
 */
function rowOfSection(table: LabeledTable): number {
  const first = table.revenue.findIndex((label) => label?.kind === 'row-of-section');
  if (first < 0) return -1;
  const section = table.rows[first]?.sections.at(-1);
  const rows = table.rows.flatMap((row, index) =>
    row.sections.at(-1) === section && index >= first ? [{ row, index }] : [],
  );
  const total = rows.find(({ row }) => /^(?:total)?$/.test(normalizeLabel(row.label)));
  if (total !== undefined) return total.index;
  const [only] = rows;
  return rows.length === 1 && only !== undefined ? only.index : -1;
}

function hasAmounts(row: FinancialRow | undefined): boolean {
  return row?.cells.some((cell) => cell !== undefined && cell.value !== null) ?? false;
}

/** Without a named scale, the sentence that states the revenue decides, then the other tables. */
function toScale(candidate: RevenueCandidate, mentions: readonly Mention[]): RevenueCandidate[] {
  const { scale, common, value } = candidate;
  const scaledBy = (by: Scale): RevenueCandidate => ({
    ...candidate,
    value: shift(value, by),
    yearAgo: candidate.yearAgo === null ? null : shift(candidate.yearAgo, by),
    precision: candidate.precision + by,
  });
  if (scale !== null) return [scaledBy(scale)];
  const fitting = ([0, 3, 6, 9] as const).filter((each) =>
    isMentioned(shift(value, each), mentions),
  );
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return [scaledBy(only)];
  // An amount of at least ten million to the last digit is written in full.
  if (compareDecimals(absoluteDecimal(value), '10000000') >= 0) return [scaledBy(0)];
  return common === null ? [] : [scaledBy(common)];
}

function shift(value: Decimal, scale: Scale): Decimal {
  return multiplyDecimals(value, `1${'0'.repeat(scale)}`);
}

/** Returns true if a sentence about revenue states this value, rounded. */
function isMentioned(value: Decimal, mentions: readonly Mention[]): boolean {
  return mentions.some(
    (mention) =>
      /\b(?:revenues?|sales|turnover)\b/i.test(mention.sentence) &&
      mention.precision >= 2 &&
      compareDecimals(
        absoluteDecimal(subtractDecimals(value, mention.value)),
        `${10 ** mention.precision}`,
      ) <= 0,
  );
}

/** Returns each value once, in its most precise form: `4,009` million instead of `4.0` billion. */
function distinct(candidates: readonly RevenueCandidate[]): RevenueCandidate[] {
  const sorted = candidates.toSorted((a, b) => a.precision - b.precision);
  return sorted.filter(
    (each, index) => sorted.findIndex((other) => isSameRounded(other, each)) === index,
  );
}

function isSameRounded(a: RevenueCandidate, b: RevenueCandidate): boolean {
  const difference = Number(absoluteDecimal(subtractDecimals(a.value, b.value)));
  return difference <= 10 ** Math.max(a.precision, b.precision) * 0.51;
}
