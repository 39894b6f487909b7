/** Lines of cells in columns, two spaces apart, for people at a terminal. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
