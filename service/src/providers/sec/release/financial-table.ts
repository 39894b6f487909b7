import type { HtmlTable } from '../html/html-blocks.ts';
import { type DecimalMark, isYear } from './amount.ts';
import { deriveColumns, type TableColumn } from './columns.ts';
import {
  isPeriodText,
  NO_PERIOD,
  parsePeriod,
  parseTitlePeriod,
  type Period,
  withDefaults,
} from './period.ts';
import { scaleOf } from './scale.ts';
import { type AmountCell, readRow, type TableRow } from './table-rows.ts';

/** A table with a label and one amount per column in each row. */
export interface FinancialTable {
  offset: number;
  /** Texts above the columns: paragraphs before the table, and its title rows. */
  title: string;
  /** The part of the title that is certainly about this table. */
  nearTitle: string;
  columns: TableColumn[];
  rows: FinancialRow[];
}

export interface FinancialRow {
  label: string;
  offset: number;
  /** Headings above the row that apply to it, outermost first. */
  sections: string[];
  /** The period of a heading above the row, if one names a period. */
  period: Period;
  /** One per column; undefined where the row has no amount. */
  cells: (AmountCell | undefined)[];
}

/** Paragraphs directly above a table. */
const NEAR_COUNT = 2;

function isHeading(text: string): boolean {
  return (
    text.length < TITLE_PERIOD_LENGTH_MAX && !(text.endsWith('.') && text.split(' ').length > 8)
  );
}

/** A longer text, or one with amounts, is a sentence that mentions a period. */
const TITLE_PERIOD_LENGTH_MAX = 120;
/** A paragraph or heading above a table. */
const TITLE_LENGTH_MAX = 400;

/**
 * Splits a table of a document into parts with one head each, since one table often has a head for
 * the quarter and another one further down. A part without a head of its own continues the table
 * before it if it has as many columns.
 */
export function readFinancialTables(
  table: HtmlTable,
  options: { before: readonly string[]; mark: DecimalMark; previous: FinancialTable | undefined },
): FinancialTable[] {
  const rows = table.rows.map((cells) => readRow(cells, options.mark));
  const title = options.before.filter(({ length }) => length <= TITLE_LENGTH_MAX);
  const isPlainText = table.isPlainText ?? false;
  const tables: FinancialTable[] = [];
  for (const { head, body } of splitParts(rows, labelStart(rows))) {
    const previous = tables.at(-1) ?? options.previous;
    const columns = deriveColumns(head, body, { previous: previous?.columns, isPlainText });
    if (columns.length === 0) continue;
    const headTexts = head.flatMap(({ texts }) => texts.map(({ text }) => text));
    const notes = body.filter(isNote).map(({ label }) => label);
    const titles = [...title, tables[0]?.title ?? '', ...headTexts, ...notes];
    const stub = stubPeriod(head, columns, title);
    tables.push({
      offset: body[0]?.offset ?? table.offset,
      title: titles.join(' | '),
      nearTitle: [...title.slice(-NEAR_COUNT), ...headTexts].filter(isHeading).join(' | '),
      columns: columns.map((column) => ({
        ...column,
        period: withDefaults(column.period, stub),
      })),
      rows: readBody(body, columns),
    });
  }
  return tables;
}

/** Returns where most labels begin. Some tables have an empty column in front of them. */
function labelStart(rows: readonly TableRow[]): number {
  const starts = rows.flatMap(({ amounts, texts }) =>
    amounts.length > 0 && texts[0] !== undefined ? [texts[0].start] : [],
  );
  const groups = [...Map.groupBy(starts, (start) => start)];
  return groups.toSorted((a, b) => b[1].length - a[1].length || a[0] - b[0])[0]?.[0] ?? 0;
}

interface Part {
  head: TableRow[];
  body: TableRow[];
}

function splitParts(rows: readonly TableRow[], start: number): Part[] {
  const parts: Part[] = [];
  let part: Part = { head: [], body: [] };
  for (const [index, row] of rows.entries()) {
    const hasData = part.body.some(({ amounts }) => amounts.length > 0);
    const next = rows[index + 1];
    const isColumns = isHeadRow(row, start);
    const isHead = isColumns || (!hasData && isTitleRow(row, { next, head: part.head, start }));
    if (isColumns && hasData) {
      parts.push(part);
      part = { head: [row], body: [] };
    } else if (isHead && !hasData) part.head.push(row, ...part.body.splice(0));
    else part.body.push(row);
  }
  return [...parts, part];
}

/** A row of column heads: periods beside the label, and no amounts but years. */
function isHeadRow(row: TableRow, labelsAt: number): boolean {
  const { amounts, texts } = row;
  if (amounts.some((amount) => !isYear(amount))) return false;
  if (amounts.length > 0) return amounts.length + texts.length > 1 || row.label === '';
  const first = texts[0];
  if (first === undefined) return false;
  const beside = texts.filter(({ start }) => start > labelsAt);
  const isBesideLabel = first.start > labelsAt || texts.length > 1;
  return isBesideLabel && beside.some(({ text }) => text.length < 80 && isPeriodText(text));
}

/**
 * A row before the first amounts that spans columns, or that a row of heads follows. Below the
 * column heads, a text above the labels is the heading of a section instead.
 */
function isTitleRow(
  row: TableRow,
  place: { next: TableRow | undefined; head: readonly TableRow[]; start: number },
): boolean {
  const { next, head, start } = place;
  if (row.amounts.length > 0) return false;
  const [first] = row.texts;
  if (first === undefined) return false;
  if (row.texts.length > 1 || first.start > start) return true;
  if (next !== undefined && isHeadRow(next, start)) return true;
  return (
    !head.some((each) => isHeadRow(each, start)) &&
    (first.end - first.start > 2 || isPeriodText(first.text))
  );
}

/** A heading that names the scale of the amounts, not a section. */
function isNote({ amounts, label }: TableRow): boolean {
  return amounts.length === 0 && scaleOf(label) !== null;
}

/** Returns what the corner of the head, or else the title, says of all columns. */
function stubPeriod(
  head: readonly TableRow[],
  columns: readonly TableColumn[],
  title: readonly string[],
): Period {
  const first = Math.min(...columns.map(({ start }) => start));
  const corner = head
    .flatMap(({ texts }) => texts)
    .filter(({ start, end }) => start < first && end <= first);
  const texts = [...corner.map(({ text }) => text), ...title.toReversed()];
  return texts
    .filter((text) => text.length < TITLE_PERIOD_LENGTH_MAX && !/[$€£]|\w{3}\.$/.test(text))
    .reduce((period, text) => withDefaults(period, parseTitlePeriod(text)), NO_PERIOD);
}

/** Deeper headings are not observed. */
const SECTIONS_MAX = 3;
const DILUTION = /^\W*(?:basic|diluted|basic and diluted|assuming dilution)\W*$/i;

/** The heading `Diluted:` continues the heading above that says what is diluted. */
function outerSections(label: string, sections: readonly string[]): string[] {
  if (!DILUTION.test(label)) return [];
  return sections.filter((section) => !DILUTION.test(section)).slice(-SECTIONS_MAX + 1);
}

function readBody(body: readonly TableRow[], columns: readonly TableColumn[]): FinancialRow[] {
  const rows: FinancialRow[] = [];
  let sections: string[] = [];
  let followsHeading = false;
  for (const row of body) {
    if (isNote(row)) continue;
    if (row.amounts.length === 0) {
      sections = followsHeading
        ? [...sections, row.label].slice(-SECTIONS_MAX)
        : [...outerSections(row.label, sections), row.label];
      followsHeading = true;
      continue;
    }
    followsHeading = false;
    rows.push({
      label: row.label,
      offset: row.offset,
      sections,
      period: sections.reduce(
        (period, text) => withDefaults(parsePeriod(text.slice(0, 200)), period),
        NO_PERIOD,
      ),
      cells: columns.map((column) => column.cellOf(row)),
    });
  }
  return rows;
}
