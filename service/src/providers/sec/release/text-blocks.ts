import type { HtmlBlock, HtmlCell } from '../html/html-blocks.ts';
import { TextCollector } from '../html/source-text.ts';

/** A line with its position in the source. */
interface Line {
  text: string;
  offset: number;
}

/** SGML tags of old text filings: `<TABLE>`, `<CAPTION>`, `<S>`, `<C>`, `<PAGE>`. */
const TAG = /<\/?[A-Za-z][^<>\n]{0,80}>/g;
const RULE = /^[\s\-=_.~*]*$/;
/** Two blanks, a tab or dot leaders separate the cells of a line. */
const GAP = /[ \u00a0]{2,}|\t+|(?:\.[ .]*){3,}|[ \u00a0]\.{2,}[ \u00a0]?/g;
/** An amount with a sign, a separator or decimals, so that it is not part of a date or a name. */
const AMOUNT = String.raw`(?:\$\s*)?\(?\$?\s*(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\$\s*\d+)\)?%?`;
const TRAILING_AMOUNTS = new RegExp(String.raw`^(.*?[A-Za-z):])\s+((?:${AMOUNT}\s*)+)$`);
const ONLY_AMOUNTS = new RegExp(String.raw`^(?:${AMOUNT}\s+)+${AMOUNT}$`);
const AMOUNTS = new RegExp(AMOUNT, 'g');
/** No real table is longer. */
const ROWS_MAX = 5000;
/** Longer text is prose. */
const LINE_LENGTH_MAX = 300;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;

/** Splits plain text, whose tables are columns of blanks, into paragraphs and tables. */
export function readTextBlocks(text: string, offset: number): HtmlBlock[] {
  const blocks: HtmlBlock[] = [];
  let rows: HtmlCell[][] = [];
  let prose = new TextCollector();
  const endTable = (): void => {
    if (rows.length > 0) {
      blocks.push({
        kind: 'table',
        offset: rows[0]?.[0]?.words[0]?.offset ?? offset,
        rows,
        isPlainText: true,
      });
    }
    rows = [];
  };
  const endProse = (): void => {
    const taken = prose.take();
    if (taken.text !== '') blocks.push({ kind: 'paragraph', ...taken });
    prose = new TextCollector();
  };
  for (const line of linesOf(text, offset)) {
    if (RULE.test(line.text)) {
      endProse();
      continue;
    }
    const cells = cellsOf(line);
    const isTabular = cells.length > 1 || /^\s{12,}/.test(line.text);
    const isHeading = cells.length === 1 && rows.length > 0 && line.text.trim().length < 70;
    if (isTabular || isHeading) {
      endProse();
      if (rows.length < ROWS_MAX) rows.push(cells);
      continue;
    }
    endTable();
    prose.add(line.text, line.offset);
    prose.addBlank();
  }
  endProse();
  endTable();
  return blocks;
}

function linesOf(text: string, offset: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({
      // Tags keep their width, so that the columns stay where they are.
      text: line.replace(TAG, (tag) => ' '.repeat(tag.length)).replace(/\r$/, ''),
      offset: offset + start,
    });
    start += line.length + 1;
  }
  return lines;
}

/** A longer line is no row of a table. */
const ROW_LENGTH_MAX = 400;

function cellsOf(line: Line): HtmlCell[] {
  if (line.text.length > ROW_LENGTH_MAX) return [cellOf(line, 0, line.text.length)];
  const cells: HtmlCell[] = [];
  let start = 0;
  const add = (end: number): void => {
    if (line.text.slice(start, end).trim() !== '') cells.push(...splitCell(line, start, end));
  };
  for (const gap of line.text.matchAll(GAP)) {
    add(gap.index);
    start = gap.index + gap[0].length;
  }
  add(line.text.length);
  return cells;
}

/** Splits `Net sales $ 1,234 1,100`, whose columns are only one blank apart. */
function splitCell(line: Line, start: number, end: number): HtmlCell[] {
  const text = line.text.slice(start, end);
  if (text.length > LINE_LENGTH_MAX || MONTH.test(text)) return [cellOf(line, start, end)];
  const [, label, amounts] = TRAILING_AMOUNTS.exec(text) ?? [];
  const isLabeled = label !== undefined && amounts !== undefined;
  if (!isLabeled && !ONLY_AMOUNTS.test(text)) return [cellOf(line, start, end)];
  const rest = isLabeled ? start + text.lastIndexOf(amounts) : start;
  const cells = isLabeled ? [cellOf(line, start, start + label.length)] : [];
  for (const match of line.text.slice(rest, end).matchAll(AMOUNTS)) {
    cells.push(cellOf(line, rest + match.index, rest + match.index + match[0].length));
  }
  return cells;
}

function cellOf(line: Line, start: number, end: number): HtmlCell {
  const collector = new TextCollector();
  const text = line.text.slice(start, end);
  collector.add(text, line.offset + start);
  const indent = text.length - text.trimStart().length;
  return { ...collector.take(), start: start + indent, end };
}
