/** Writes releases of fictional companies, in the shapes in which filing agents write them. */

/** Cells of a row; the first one is the label. */
export type Row = readonly string[];

/** A head cell over several columns of amounts. */
export interface HeadCell {
  text: string;
  columns?: number;
}

export interface TableOptions {
  head: readonly (readonly HeadCell[])[];
  rows: readonly Row[];
  /** Text over the labels in the last head row. */
  corner?: string;
}

/**
 * Parses a table: head rows, a line `---`, and body rows, with bars between the cells. `Text ×2`
 * covers two columns of amounts. The first cell of a row is its label.
 */
export function table(text: string): TableOptions {
  const lines = text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split('|')
        .map((cell) => cell.trim()),
    );
  const rule = lines.findIndex(([cell]) => cell === '---');
  const head = lines.slice(0, rule).map(([, ...cells]) => cells.map(parseHeadCell));
  return { head, corner: lines[rule - 1]?.[0] ?? '', rows: lines.slice(rule + 1) };
}

function parseHeadCell(cell: string): HeadCell {
  const [, text = cell, columns = '1'] = /^(.*?) ×(\d+)$/.exec(cell) ?? [];
  return { text, columns: Number(columns) };
}

/**
 * Writes a table as most filing agents do: an amount has three cells, for its currency sign, its
 * digits and its closing bracket, and an empty cell between the columns.
 */
export function splitCells({ head, rows, corner = '' }: TableOptions): string {
  const heads = head.map((cells, index) => {
    const label = index === head.length - 1 ? corner : '';
    const columns = cells.map(({ text, columns: count = 1 }) => {
      const span = count * 4 - 1;
      return `<td></td><td colspan="${span}"><b>${text}</b></td>`;
    });
    return `<tr><td>${label}</td>${columns.join('')}</tr>`;
  });
  const body = rows.map(([label = '', ...amounts]) => {
    const cells = amounts.map((amount) => {
      const [, sign = '', digits = '', end = ''] =
        /^([^\d(.—-]*)(\(?[\d.,—-]*)(.*)$/.exec(amount) ?? [];
      return `<td></td><td>${sign}</td><td>${digits}</td><td>${end}</td>`;
    });
    return `<tr><td><font>${label}</font></td>${cells.join('')}</tr>`;
  });
  return `<table>${heads.join('\n')}\n${body.join('\n')}</table>`;
}

/** Writes one cell for each amount. */
export function plainCells({ head, rows, corner = '' }: TableOptions): string {
  const heads = head.map((cells, index) => {
    const label = index === head.length - 1 ? corner : '';
    const columns = cells.map(
      ({ text, columns: count = 1 }) => `<th colspan=${count}>${text}</th>`,
    );
    return `<tr><th>${label}</th>${columns.join('')}</tr>`;
  });
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table>${heads.join('')}${body.join('')}</table>`;
}

/** Writes the table in plain text with blanks, as releases of the 1990s have it. */
export function textTable({ head, rows, corner = '' }: TableOptions): string {
  const width = 14;
  const label = 44;
  const heads = head.flatMap((cells, index) => {
    const columns = cells.map(({ text, columns: count = 1 }) => ({
      lines: wrap(text, count * width - 2),
      width: count * width,
    }));
    const height = Math.max(...columns.map(({ lines }) => lines.length));
    return Array.from({ length: height }, (_, line) => {
      const isLast = index === head.length - 1 && line === height - 1;
      const texts = columns.map((column) =>
        center(column.lines[line - height + column.lines.length] ?? '', column.width),
      );
      return (isLast && corner.length < label ? corner : '').padEnd(label) + texts.join('');
    });
  });
  const body = rows.map(([first = '', ...amounts]) => {
    const start = amounts.length > 0 ? first.padEnd(label) : first;
    return start + amounts.map((amount) => amount.padStart(width)).join('');
  });
  const note = corner.length < label ? [] : [corner];
  return [...note, ...heads, '', ...body].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function center(text: string, width: number): string {
  const before = Math.max(0, Math.floor((width - text.length) / 2));
  return (' '.repeat(before) + text).padEnd(width);
}

export function htmlRelease(...parts: readonly string[]): string {
  return `<DOCUMENT>\n<TYPE>EX-99.1\n<SEQUENCE>2\n<FILENAME>release.htm\n<TEXT>\n<html><body>\n${parts
    .map((part) => (part.startsWith('<') ? part : `<p>${part}</p>`))
    .join('\n')}\n</body></html></TEXT></DOCUMENT>`;
}

export function textRelease(...parts: readonly string[]): string {
  return `<DOCUMENT>\n<TYPE>EX-99\n<SEQUENCE>2\n<TEXT>\n\n${parts.join('\n\n')}\n</TEXT>\n</DOCUMENT>`;
}
