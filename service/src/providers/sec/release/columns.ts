import { upperMedianOf } from '../../../domain/median.ts';
import { joinLines } from './head-lines.ts';
import {
  isPeriodText,
  parsePeriod,
  parseTitlePeriod,
  type Period,
  withDefaults,
} from './period.ts';
import type { AmountCell, TableRow, TextCell } from './table-rows.ts';

/** A column of amounts with its head. */
export interface TableColumn {
  start: number;
  end: number;
  /** Texts of the head above this column, top to bottom. */
  head: string;
  /** The part of the head that does not span all columns. */
  ownHead: string;
  /** Position of the head in the source; that of the first amount without a head. */
  offset: number;
  period: Period;
  /** Percentages, changes and notes are no figures of a period. */
  isFigures: boolean;
  cellOf(row: TableRow): AmountCell | undefined;
}

/** A longer text mentions periods in passing. */
const PERIOD_LENGTH_MAX = 120;

interface Span {
  start: number;
  end: number;
}

const NOT_FIGURES =
  /(?:^|\W)(?:%|percent|percentage|change[sd]?|variance|var\.?|growth|increase|decrease|inc\.?\s?\/?\(?dec|notes?|better|worse|favorable|fav|b\/?w|delta|b\(w\))(?:\W|$)/i;

/**
 * Derives the columns of a table from the places of its amounts, and their heads from the rows
 * above. Without a head of its own, the heads of the table before apply if it has as many columns.
 */
export function deriveColumns(
  head: readonly TableRow[],
  body: readonly TableRow[],
  { previous, isPlainText }: { previous: readonly TableColumn[] | undefined; isPlainText: boolean },
): TableColumn[] {
  const rows = body.filter(({ amounts }) => amounts.length > 0);
  if (rows.length === 0) return [];
  const spans = spansOf(rows);
  const lines = isPlainText
    ? joinLines(head, { firstColumn: spans[0]?.start ?? 0, columns: spans.length })
    : head;
  const heads = headsOf(lines, spans, isPlainText);
  const isContinued = heads.every(({ text }) => text === '') && previous?.length === spans.length;
  return spans.map((span, index) => {
    const inherited = isContinued ? previous[index] : undefined;
    const text = inherited?.head ?? heads[index]?.text ?? '';
    const ownHead = inherited?.ownHead ?? heads[index]?.own ?? '';
    const cells = rows.flatMap((row) => cellIn(row, span, spans) ?? []);
    const ratios = cells.filter(({ isRatio }) => isRatio).length;
    return {
      ...span,
      head: text,
      ownHead,
      offset: inherited?.offset ?? heads[index]?.offset ?? cells[0]?.offset ?? 0,
      period:
        inherited?.period ??
        withDefaults(parsePeriod(ownHead), parseTitlePeriod(heads[index]?.title ?? '')),
      isFigures: !NOT_FIGURES.test(ownHead) && ratios * 2 <= cells.length,
      cellOf: (row) => cellIn(row, span, spans),
    };
  });
}

/**
 * Amounts of one column overlap. If two amounts of a row would share a column, the rows are not
 * aligned: then the columns are those of the most common number of amounts.
 */
function spansOf(rows: readonly TableRow[]): Span[] {
  const spans = mergeOverlaps(rows.flatMap(({ amounts }) => amounts));
  const isClear = rows.every(({ amounts }) =>
    spans.every((span) => amounts.filter((amount) => overlaps(amount, span)).length <= 1),
  );
  if (isClear) return spans;
  const groups = [...Map.groupBy(rows, ({ amounts }) => amounts.length).entries()];
  const [, common = []] = groups.toSorted((a, b) => b[1].length - a[1].length)[0] ?? [];
  return (common[0]?.amounts ?? []).map((amount, index) => ({
    start: upperMedianOf(common.map(({ amounts }) => amounts[index]?.start ?? amount.start)),
    end: upperMedianOf(common.map(({ amounts }) => amounts[index]?.end ?? amount.end)),
  }));
}

function mergeOverlaps(amounts: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of amounts.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = spans.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** A row with one amount for each column is read in order, wherever the amounts are. */
function cellIn(row: TableRow, span: Span, spans: readonly Span[]): AmountCell | undefined {
  const { amounts } = row;
  const matches = amounts.filter((amount) => overlaps(amount, span));
  if (matches.length === 1) return matches[0];
  return amounts.length === spans.length ? amounts[spans.indexOf(span)] : undefined;
}

/** Characters by which a head in plain text can begin before its first amount. */
const MARGIN = 16;

interface Head {
  text: string;
  own: string;
  title: string;
  offset: number | null;
}

function headsOf(head: readonly TableRow[], spans: readonly Span[], isPlainText: boolean): Head[] {
  const heads: Head[] = spans.map(() => ({ text: '', own: '', title: '', offset: null }));
  const first = spans[0]?.start ?? 0;
  const margin = isPlainText ? MARGIN : 0;
  for (const row of head) {
    const cells = [...row.texts, ...row.amounts]
      .filter(({ start, end }) => (isPlainText ? start >= first - margin : end > first))
      .toSorted((a, b) => a.start - b.start);
    for (const [index, cell] of assignCells(cells, spans, isPlainText).entries()) {
      const target = heads[index];
      if (cell === undefined || target === undefined) continue;
      // A text that begins above the labels is a title, wherever it ends.
      const isTitle =
        spans.length > 1 &&
        (cell.start < first - margin || spans.every((span) => overlaps(cell, span)));
      if (isTitle && !(cell.text.length < PERIOD_LENGTH_MAX && isPeriodText(cell.text))) continue;
      if (isTitle) target.title = `${target.title} ${cell.text}`.trim();
      else target.own = `${target.own} ${cell.text}`.trim();
      target.text = `${target.text} ${cell.text}`.trim();
      target.offset ??= cell.offset;
    }
  }
  return heads;
}

/**
 * Returns the cell above each column: the one that covers most of it. In plain text a head is
 * centered above several columns without covering them all; then the nearest one counts.
 */
function assignCells(
  cells: readonly TextCell[],
  spans: readonly Span[],
  isPlainText: boolean,
): (TextCell | undefined)[] {
  const covering = spans.map((span) => bestCover(cells, span));
  const unused = cells.filter((cell) => !covering.includes(cell));
  if (unused.length === 0 && covering.every((cell) => cell !== undefined)) return covering;
  if (cells.length === spans.length && unused.length > 0) return [...cells];
  return isPlainText
    ? covering.map((cell, index) => cell ?? nearest(cells, spans[index]))
    : covering;
}

function bestCover(cells: readonly TextCell[], span: Span): TextCell | undefined {
  let best: TextCell | undefined;
  let most = 0;
  for (const cell of cells) {
    const common = Math.min(cell.end, span.end) - Math.max(cell.start, span.start);
    if (common > most) [best, most] = [cell, common];
  }
  return best;
}

function nearest(cells: readonly TextCell[], span: Span | undefined): TextCell | undefined {
  if (span === undefined) return undefined;
  const center = (span.start + span.end) / 2;
  const distance = ({ start, end }: TextCell) => Math.abs((start + end) / 2 - center);
  return cells.toSorted((a, b) => distance(a) - distance(b))[0];
}
