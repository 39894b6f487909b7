import type { HtmlCell } from '../html/html-blocks.ts';
import { sourceOffset } from '../html/source-text.ts';
import { type Amount, type DecimalMark, parseAmount } from './amount.ts';

/** A piece of a table row, on the grid of the table. */
export interface TextCell {
  text: string;
  offset: number;
  start: number;
  end: number;
}

/** An amount with everything that belongs to it, such as a currency sign in a cell of its own. */
export type AmountCell = Amount & TextCell;

/** A row of a table, with the pieces of its amounts joined. */
export interface TableRow {
  /** Text before the first amount. */
  label: string;
  offset: number;
  amounts: AmountCell[];
  /** All cells that are not amounts, the label included. */
  texts: TextCell[];
}

const OPENING =
  /^(?:\(?(?:US|C|CA|A|HK|NT|S|R)?\$|[€£¥￥₪₹₩]|RMB|CNY|EUR|GBP|USD|CHF|NIS|Rs\.?|Ps\.?)?\s*[(\-–−]?\s*$/i;
const CLOSING = /^(?:\)|%|\)\s*%|%\s*\)|pts?\.?|bps|x|\)\s*\*+|\*+)$/i;

/** Joins the cells of a row to a label and amounts. */
export function readRow(cells: readonly HtmlCell[], mark: DecimalMark): TableRow {
  const pieces = joinPieces(cells.filter(({ text }) => text !== ''));
  const amounts: AmountCell[] = [];
  const texts: TextCell[] = [];
  for (const piece of pieces) {
    const amount = parseAmount(piece.text, mark);
    // A lone bullet or dash before the label is not an amount.
    const isBullet = amount?.value === null && amounts.length === 0 && pieces.length < 3;
    if (amount === null || isBullet) texts.push(piece);
    else amounts.push({ ...piece, ...amount });
  }
  const first = amounts[0]?.start ?? Number.POSITIVE_INFINITY;
  const labels = texts.filter(({ start }) => start < first);
  return {
    label: labels.map(({ text }) => text).join(' '),
    offset: labels[0]?.offset ?? pieces[0]?.offset ?? 0,
    amounts,
    texts,
  };
}

/** Joins `$`, `(` and `)` in cells of their own with the number between them. */
function joinPieces(cells: readonly HtmlCell[]): TextCell[] {
  const pieces: TextCell[] = [];
  let opening: TextCell | null = null;
  for (const cell of cells) {
    const { text, start, end } = cell;
    const last = pieces.at(-1);
    if (CLOSING.test(text) && last !== undefined && opening === null && /\d$/.test(last.text)) {
      pieces[pieces.length - 1] = { ...last, text: last.text + text, end };
      continue;
    }
    // A sign that no number follows is a column head, such as `RMB` beside `US$`.
    if (opening !== null && !/^[(\d.\-–—−]/.test(text)) {
      pieces.push(opening);
      opening = null;
    }
    const piece: TextCell = { text, offset: sourceOffset(cell, 0), start, end };
    const joined: TextCell =
      opening === null
        ? piece
        : { ...piece, text: `${opening.text} ${text}`, start: opening.start };
    if (OPENING.test(text) && !/^[-–−]$/.test(text)) {
      opening = joined;
      continue;
    }
    opening = null;
    pieces.push(joined);
  }
  if (opening !== null) pieces.push(opening);
  return pieces;
}
