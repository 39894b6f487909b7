import { formatInstant, type Instant } from '../platform/instant.ts';
import type { CliContext } from './command.ts';

/** Prints rows as JSON or as a table. */
export function printRows<Row extends object>(
  context: CliContext,
  rows: readonly Row[],
  options: {
    json: boolean | undefined;
    columns: Readonly<Record<string, (row: Row) => string | number | null>>;
  },
): void {
  if (options.json === true) {
    context.stdout(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const cells = rows.map((row) =>
    Object.values(options.columns).map((cell) => String(cell(row) ?? '-')),
  );
  context.stdout(renderTable([Object.keys(options.columns), ...cells]));
}

function renderTable(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, index) => cell.padEnd(widths?.[index] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

export function formatInstantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
