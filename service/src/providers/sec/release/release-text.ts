import { type HtmlBlock, type HtmlTable, readHtmlBlocks } from '../html/html-blocks.ts';
import type { SourceText, SourceWord } from '../html/source-text.ts';
import { decimalMarkOf, type DecimalMark } from './amount.ts';
import { type FinancialTable, readFinancialTables } from './financial-table.ts';
import { isPeriodText } from './period.ts';
import { readTextBlocks } from './text-blocks.ts';

/** A filed document as paragraphs and tables. */
export interface ReleaseText {
  /** Paragraphs and sentences in cells, in document order. */
  passages: SourceText[];
  tables: FinancialTable[];
  mark: DecimalMark;
}

/** A cell with a longer text is prose, such as a bullet point. */
const PROSE_LENGTH_MIN = 30;
/** Texts above a table that may name its period and scale. */
const BEFORE_COUNT = 6;
const HEAD_ROWS_MAX = 6;
const HTML = /<(?:html|body|div|p|tr|td|font|span|table\s+[a-z]|br)\b/i;

/** Reads an HTML or plain-text document. Never throws; damaged markup yields what is readable. */
export function readReleaseText(source: string): ReleaseText {
  const blocks = readBlocks(source);
  const tables = blocks.filter((block) => block.kind === 'table');
  const mark = decimalMarkOf(cellTexts(tables));
  const text: ReleaseText = { passages: [], tables: [], mark };
  let before: string[] = [];
  let head: HtmlTable | null = null;
  for (const block of blocks) {
    if (block.kind === 'paragraph') {
      text.passages.push(block);
      if (block.text.length > 40) head = null;
      before = [...before, block.text].slice(-BEFORE_COUNT);
    } else if (block.kind === 'table') {
      const previous = text.tables.at(-1);
      const whole: HtmlTable = head === null ? block : joinTables(head, block);
      const found = readFinancialTables(whole, { before, mark, previous });
      text.passages.push(...proseOf(block, found.length > 0));
      head = found.length === 0 && isHeadTable(block) ? whole : null;
      text.tables.push(...found);
      // A table without figures is layout: its texts may be the title of the next one.
      if (found.length > 0) before = [];
      else before = [...before, ...cellTexts([block])].slice(-BEFORE_COUNT);
    }
  }
  return text;
}

/** The heads of a table in a table of their own, as some tools write them. */
function isHeadTable({ rows }: HtmlTable): boolean {
  const cells = rows.flat().filter(({ text }) => text !== '');
  return (
    rows.length <= HEAD_ROWS_MAX &&
    cells.length > 0 &&
    cells.every(({ text }) => text.length < 80) &&
    cells.some(({ text, start }) => start > 0 && isPeriodText(text))
  );
}

function joinTables(head: HtmlTable, body: HtmlTable): HtmlTable {
  return { ...body, rows: [...head.rows, ...body.rows] };
}

/** Splits an HTML or plain-text document into its paragraphs and tables. */
export function readBlocks(source: string): HtmlBlock[] {
  if (!HTML.test(source.slice(0, 200_000))) return readTextBlocks(source, 0);
  return readHtmlBlocks(source).flatMap((block) =>
    block.kind === 'preformatted' ? readTextBlocks(block.text, block.offset) : [block],
  );
}

function* cellTexts(tables: readonly HtmlTable[]): Generator<string> {
  for (const { rows } of tables) for (const row of rows) for (const { text } of row) yield text;
}

/**
 * Returns sentences in cells, and rows of a table without figures as one text each: `Total revenue`
 * and `$4.75 billion to $4.78 billion` belong together.
 */
function proseOf(table: HtmlTable, hasFigures: boolean): SourceText[] {
  if (!hasFigures) return table.rows.map(joinCells);
  return table.rows
    .flat()
    .filter(({ text }) => text.length >= PROSE_LENGTH_MIN && text.includes(' '));
}

function joinCells(cells: readonly SourceText[]): SourceText {
  let text = '';
  const words: SourceWord[] = [];
  for (const cell of cells) {
    if (cell.text === '') continue;
    if (text !== '') text += ' ';
    words.push(...cell.words.map(({ at, offset }) => ({ at: at + text.length, offset })));
    text += cell.text;
  }
  return { text, words };
}
