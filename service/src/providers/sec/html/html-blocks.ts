import { Parser } from 'htmlparser2';
import { TextCollector, type SourceText } from './source-text.ts';

/** A paragraph, or another run of text without a line break of its own. */
export interface Paragraph extends SourceText {
  kind: 'paragraph';
}

/** Text whose line breaks and blanks matter, as in `<pre>`. */
export interface Preformatted {
  kind: 'preformatted';
  text: string;
  offset: number;
}

export interface HtmlTable {
  kind: 'table';
  offset: number;
  rows: HtmlCell[][];
  /** The grid columns are characters of a line, so that heads are only near their columns. */
  isPlainText?: boolean;
}

/** A cell of a table. It covers the grid columns from `start` up to, but not including, `end`. */
export interface HtmlCell extends SourceText {
  start: number;
  end: number;
}

export type HtmlBlock = Paragraph | Preformatted | HtmlTable;

const SKIPPED = new Set(['script', 'style', 'title', 'noscript', 'ix:header', 'xml']);
const BREAKS = new Set(
  (
    'address article aside blockquote body br center dd div dl document dt figure footer form ' +
    'h1 h2 h3 h4 h5 h6 head header hr html li main nav ol p page section table text ul'
  ).split(' '),
);
const HIDDEN = /display\s*:\s*none/i;
const RAISED = /vertical-align\s*:\s*(?:super|top|text-top)/i;
const INLINE = new Set(['sup', 'span', 'font', 'a', 'small']);
/** Elements that never have content, so that one of them cannot open a hidden part. */
const EMPTY = new Set(['br', 'hr', 'img', 'meta', 'link', 'input', 'col', 'area', 'base', 'wbr']);
/** No real table is larger. More is damage and would cost memory and time. */
const SPAN_MAX = 200;
const COLUMNS_MAX = 300;
const ROWS_MAX = 5000;
/** Elements that are open at once. The parser's time per element grows with them. */
const DEPTH_MAX = 20_000;
const CHUNK_CHARS = 65_536;

interface OpenTable {
  table: HtmlTable;
  row: HtmlCell[] | null;
  cell: { collector: TextCollector; start: number; end: number } | null;
  /** Rows that each grid column is still covered by a cell from above. */
  covered: number[];
}

/**
 * Splits an HTML document into its paragraphs and tables, in document order, with the offset of
 * every word in the source. Nested tables are blocks of their own. Hidden parts, scripts and
 * footnote marks are left out. Never throws, and needs time proportional to the length. Text below
 * an absurd nesting is left out.
 */
export function readHtmlBlocks(html: string): HtmlBlock[] {
  const reader = new BlockReader();
  const parser: Parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes, parser.startIndex),
      onclosetag: (name) => reader.close(name),
      ontext: (text) => reader.text(text, parser.startIndex),
    },
    { decodeEntities: true },
  );
  for (let start = 0; start < html.length && reader.depth < DEPTH_MAX; start += CHUNK_CHARS) {
    parser.write(html.slice(start, start + CHUNK_CHARS));
  }
  if (reader.depth < DEPTH_MAX) parser.end();
  return reader.finish();
}

class BlockReader {
  /** Number of open elements. */
  depth = 0;
  private readonly blocks: HtmlBlock[] = [];
  private readonly tables: OpenTable[] = [];
  private paragraph = new TextCollector();
  private raised = new TextCollector();
  /** Open elements since the outermost hidden one, which they include. */
  private hiddenDepth = 0;
  /** The same for a raised footnote mark. */
  private raisedDepth = 0;
  private preformatted: { text: string; offset: number } | null = null;

  open(name: string, attributes: Readonly<Record<string, string>>, offset: number): void {
    this.depth++;
    const style = attributes['style'] ?? '';
    const isEmpty = EMPTY.has(name);
    if (this.hiddenDepth > 0 || SKIPPED.has(name) || HIDDEN.test(style)) {
      if (!isEmpty) this.hiddenDepth++;
      return;
    }
    if (this.raisedDepth > 0) {
      if (!isEmpty) this.raisedDepth++;
      return;
    }
    if (name === 'sup' || (INLINE.has(name) && RAISED.test(style))) this.raisedDepth = 1;
    else if (name === 'table') this.openTable(offset);
    else if (name === 'tr') this.openRow();
    else if (name === 'td' || name === 'th') this.openCell(attributes);
    else if (name === 'pre') this.openPreformatted(offset);
    else if (BREAKS.has(name)) this.breakLine();
  }

  close(name: string): void {
    this.depth--;
    if (this.hiddenDepth > 0) {
      if (!EMPTY.has(name)) this.hiddenDepth--;
      return;
    }
    if (this.raisedDepth > 0) {
      if (!EMPTY.has(name)) this.raisedDepth--;
      if (this.raisedDepth === 0) this.endRaised();
      return;
    }
    if (name === 'table') this.closeTable();
    else if (name === 'tr') this.closeRow();
    else if (name === 'td' || name === 'th') this.closeCell();
    else if (name === 'pre') this.closePreformatted();
    else if (BREAKS.has(name)) this.breakLine();
  }

  text(text: string, offset: number): void {
    if (this.hiddenDepth > 0) return;
    if (this.raisedDepth > 0) this.raised.add(text, offset);
    else if (this.preformatted !== null) this.preformatted.text += text;
    else this.collector().add(text, offset);
  }

  finish(): HtmlBlock[] {
    this.closePreformatted();
    while (this.tables.length > 0) this.closeTable();
    this.endParagraph();
    return this.blocks.toSorted((a, b) => offsetOf(a) - offsetOf(b));
  }

  private collector(): TextCollector {
    return this.tables.at(-1)?.cell?.collector ?? this.paragraph;
  }

  /** Keeps raised text that is part of the sentence, such as the letters of `4th`. */
  private endRaised(): void {
    const { text, words } = this.raised.take();
    if (/^[a-z]{2,}$/i.test(text)) this.collector().add(text, words[0]?.offset ?? 0);
  }

  private breakLine(): void {
    const cell = this.tables.at(-1)?.cell;
    if (cell === undefined || cell === null) this.endParagraph();
    else cell.collector.addBlank();
  }

  private endParagraph(): void {
    const text = this.paragraph.take();
    if (text.text !== '') this.blocks.push({ kind: 'paragraph', ...text });
  }

  private openTable(offset: number): void {
    this.breakLine();
    const table: HtmlTable = { kind: 'table', offset, rows: [] };
    this.blocks.push(table);
    this.tables.push({ table, row: null, cell: null, covered: [] });
  }

  private closeTable(): void {
    this.closeRow();
    this.tables.pop();
  }

  private openRow(): void {
    this.closeRow();
    const open = this.tables.at(-1);
    if (open !== undefined) open.row = [];
  }

  private closeRow(): void {
    this.closeCell();
    const open = this.tables.at(-1);
    if (open === undefined || open.row === null) return;
    const isKept = open.table.rows.length < ROWS_MAX && open.row.some(({ text }) => text !== '');
    if (isKept) open.table.rows.push(open.row);
    open.row = null;
    for (const [column, rows] of open.covered.entries()) {
      if (rows > 0) open.covered[column] = rows - 1;
    }
  }

  private openCell(attributes: Readonly<Record<string, string>>): void {
    const open = this.tables.at(-1);
    if (open === undefined) return this.breakLine();
    this.closeCell();
    open.row ??= [];
    let start = open.row.at(-1)?.end ?? 0;
    while (start < COLUMNS_MAX && (open.covered[start] ?? 0) > 0) start++;
    const end = start + spanOf(attributes['colspan']);
    const rows = start < COLUMNS_MAX ? spanOf(attributes['rowspan']) : 1;
    // The current row is counted too, because closing it subtracts one.
    if (rows > 1) for (let column = start; column < end; column++) open.covered[column] = rows;
    open.cell = { collector: new TextCollector(), start, end };
  }

  private closeCell(): void {
    const open = this.tables.at(-1);
    if (open === undefined || open.cell === null) return;
    const { collector, start, end } = open.cell;
    if (start < COLUMNS_MAX) open.row?.push({ ...collector.take(), start, end });
    open.cell = null;
  }

  private openPreformatted(offset: number): void {
    this.breakLine();
    this.preformatted ??= { text: '', offset };
  }

  private closePreformatted(): void {
    if (this.preformatted === null) return;
    this.blocks.push({ kind: 'preformatted', ...this.preformatted });
    this.preformatted = null;
  }
}

function spanOf(text: string | undefined): number {
  const span = /^\s*\d{1,4}/.exec(text ?? '')?.[0];
  return Math.min(SPAN_MAX, Math.max(1, Number(span ?? 1)));
}

function offsetOf(block: HtmlBlock): number {
  return block.kind === 'paragraph' ? (block.words[0]?.offset ?? 0) : block.offset;
}
