import type { TableRow, TextCell } from './table-rows.ts';

/** Characters by which a head can begin before its first amount. */
const MARGIN = 12;

/**
 * Joins the lines of wrapped heads in plain text: `Nine Months Ended` above `September 30,` is one
 * head. Only neighboring lines are joined, and no line of years, which has a cell for each column. A
 * title, which begins above the labels, stays a line of its own.
 */
export function joinLines(
  head: readonly TableRow[],
  { firstColumn, columns }: { firstColumn: number; columns: number },
): TableRow[] {
  const joined: TableRow[] = [];
  for (const row of head) {
    const last = joined.at(-1);
    const above = last === undefined ? null : headsIn(last, firstColumn);
    const below = headsIn(row, firstColumn);
    // A line with a head for each column belongs below one with a head for several.
    const isLower = below?.length === columns && above?.length !== columns;
    const texts = above === null || below === null || isLower ? null : joinCells(above, below);
    if (last === undefined || texts === null) joined.push(row);
    else joined[joined.length - 1] = { ...last, texts };
  }
  return joined;
}

/** Returns the texts above columns; null for a line of years, or one without such texts. */
function headsIn({ amounts, texts }: TableRow, firstColumn: number): TextCell[] | null {
  const heads = texts.filter(({ start }) => start >= firstColumn - MARGIN);
  return amounts.length > 0 || heads.length === 0 ? null : heads;
}

/** Returns null if a cell of one line is above or below several of the other. */
function joinCells(above: readonly TextCell[], below: readonly TextCell[]): TextCell[] | null {
  const overlaps = (a: TextCell, b: TextCell) => a.start < b.end && b.start < a.end;
  const isSplit =
    above.some((cell) => below.filter((other) => overlaps(cell, other)).length > 1) ||
    below.some((cell) => above.filter((other) => overlaps(cell, other)).length > 1);
  if (isSplit) return null;
  const cells = above.map((cell) => {
    const other = below.find((each) => overlaps(cell, each));
    if (other === undefined) return cell;
    return {
      text: `${cell.text} ${other.text}`,
      offset: cell.offset,
      start: Math.min(cell.start, other.start),
      end: Math.max(cell.end, other.end),
    };
  });
  const rest = below.filter((cell) => !above.some((other) => overlaps(cell, other)));
  return [...cells, ...rest].toSorted((a, b) => a.start - b.start);
}
