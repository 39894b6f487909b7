import { stringify } from 'csv-stringify/sync';
import { csvCell } from '../platform/csv-cell.ts';
import { formatInstant } from '../platform/instant.ts';
import { type FlatColumn, valueAt } from './columns.ts';
import type { ExportedRow } from './read-rows.ts';
import type { AppendBytes } from './write-file.ts';

export type TextFormat = 'csv' | 'ndjson';

/**
 * Writes rows as CSV or as one JSON object per line. Both have the same columns and the values of
 * the API. CSV cells are those of the API too: formulas are escaped, and list items are separated
 * by `;`.
 */
export async function writeText(
  format: TextFormat,
  columns: readonly FlatColumn[],
  batches: AsyncIterable<readonly ExportedRow[]>,
  append: AppendBytes,
): Promise<{ rows: number }> {
  let rows = 0;
  if (format === 'csv') await append(renderLines([columns.map(({ name }) => name)]));
  for await (const batch of batches) {
    rows += batch.length;
    await append(format === 'csv' ? renderCsv(columns, batch) : renderNdjson(columns, batch));
  }
  return { rows };
}

function renderNdjson(columns: readonly FlatColumn[], rows: readonly ExportedRow[]): Buffer {
  const lines = rows.map((row) => {
    const flat = columns.map((column) => [column.name, valueOf(row, column)] as const);
    return `${JSON.stringify(Object.fromEntries(flat))}\n`;
  });
  return Buffer.from(lines.join(''));
}

function renderCsv(columns: readonly FlatColumn[], rows: readonly ExportedRow[]): Buffer {
  return renderLines(rows.map((row) => columns.map((column) => csvCell(valueOf(row, column)))));
}

function valueOf(row: ExportedRow, { path, type }: FlatColumn): unknown {
  const value = valueAt(row, path);
  return type.kind === 'instant' && typeof value === 'number' ? formatInstant(value) : value;
}

function renderLines(lines: string[][]): Buffer {
  return Buffer.from(stringify(lines, { record_delimiter: '\r\n' }));
}
