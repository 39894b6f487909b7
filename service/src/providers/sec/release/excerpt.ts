import type { DocumentExcerpt, ExcerptCell } from '../../document-excerpt.ts';
import type { HtmlCell } from '../html/html-blocks.ts';
import type { SourceText } from '../html/source-text.ts';
import { readBlocks } from './release-text.ts';

/** Rows shown from the top of the table, which name the columns. */
const HEAD_ROWS = 3;
const ROWS_BEFORE = 4;
const ROWS_AFTER = 3;
/** Characters shown on each side of a value in prose, and of any other cell. */
const CHARS_AROUND = 300;
const GAP: ExcerptCell = { text: '…', columns: 1, highlight: null };

/** A text of the document that may hold the value, with its row if it is in a table. */
interface Place {
  text: SourceText;
  table: { rows: readonly HtmlCell[][]; index: number } | null;
}

/**
 * Returns the part of a release around the value at an offset, or null if the document has no amount
 * there. The offset must be from the reader of the same document.
 */
export function releaseExcerpt(source: string, offset: number): DocumentExcerpt | null {
  const place = findPlace(source, offset);
  if (place === null) return null;
  const { text, table } = place;
  const value = highlightedText(text, offset);
  if (value === null) return null;
  if (table === null) return [[value]];
  const { rows, index } = table;
  const from = Math.max(0, index - ROWS_BEFORE);
  const head = rows.slice(0, Math.min(HEAD_ROWS, from));
  const near = rows.slice(from, index + ROWS_AFTER + 1);
  const columns = usedColumns([...head, ...near]);
  const render = (row: readonly HtmlCell[]) => renderRow(row, columns, { cell: text, value });
  const gap = from > HEAD_ROWS ? [[{ ...GAP, columns: columns.length }]] : [];
  return [...head.map(render), ...gap, ...near.map(render)];
}

/** Finds the text that begins nearest before the offset. */
function findPlace(source: string, offset: number): Place | null {
  let nearest: Place | null = null;
  let nearestStart = -1;
  const consider = (place: Place): void => {
    const start = place.text.words[0]?.offset ?? Infinity;
    if (start > offset || start <= nearestStart) return;
    [nearest, nearestStart] = [place, start];
  };
  for (const block of readBlocks(source)) {
    if (block.kind === 'paragraph') consider({ text: block, table: null });
    if (block.kind !== 'table') continue;
    for (const [index, row] of block.rows.entries()) {
      for (const text of row) consider({ text, table: { rows: block.rows, index } });
    }
  }
  return nearest;
}

/** Returns the text around the word at the offset; null if that word is no amount. */
function highlightedText({ text, words }: SourceText, offset: number): ExcerptCell | null {
  const word = words.findLast((each) => each.offset <= offset);
  if (word === undefined) return null;
  const rest = text.slice(word.at);
  const length = rest.search(/\s|$/);
  if (!/\d/.test(rest.slice(0, length))) return null;
  const from = Math.max(0, word.at - CHARS_AROUND);
  const start = word.at - from;
  return {
    text: text.slice(from, word.at + length + CHARS_AROUND),
    columns: 1,
    highlight: { start, end: start + length },
  };
}

/** Returns the grid columns in which a cell with text begins. Others only make space. */
function usedColumns(rows: readonly (readonly HtmlCell[])[]): number[] {
  const starts = rows.flatMap((row) => row.filter(({ text }) => text !== '').map((it) => it.start));
  return [...new Set(starts)].toSorted((a, b) => a - b);
}

function renderRow(
  row: readonly HtmlCell[],
  columns: readonly number[],
  { cell, value }: { cell: SourceText; value: ExcerptCell },
): ExcerptCell[] {
  const rendered: ExcerptCell[] = [];
  let end = 0;
  const cover = (until: number, content: Omit<ExcerptCell, 'columns'>): void => {
    const count = columns.filter((column) => column >= end && column < until).length;
    if (count > 0) rendered.push({ ...content, columns: count });
    end = until;
  };
  for (const each of row) {
    if (each.text === '') continue;
    cover(each.start, { text: '', highlight: null });
    const plain = { text: each.text.slice(0, CHARS_AROUND), highlight: null };
    cover(each.end, each === cell ? value : plain);
  }
  cover(Infinity, { text: '', highlight: null });
  return rendered;
}
