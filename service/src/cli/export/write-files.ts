import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { csvCell } from '../../http/response/csv.ts';
import type { SnapshotView, Row } from '../../storage/db.ts';
import { openTemporaryFile } from '../../platform/temporary-file.ts';
import { CliError } from '../command.ts';
import {
  columnNames,
  type ExportableDataset,
  type ExportFilter,
  exportRows,
} from './export-rows.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** A file listed in the manifest. */
export interface WrittenFile {
  dataset: string;
  file: string;
  columns: string[];
  rows: number;
  sizeBytes: number;
  sha256: string;
}

/** Creates the folder. Throws `CliError` if it already contains a file from an export. */
export async function prepareFolder(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const path = join(folder, name);
    const exists = await stat(path).then(
      () => true,
      () => false,
    );
    if (exists) throw new CliError(`${path} already exists; use another folder`);
  }
}

export function fileNameOf({ name }: ExportableDataset, format: Format): string {
  return `${name}.${format}`;
}

/** Writes a data set to its file. The file appears only when it is complete. */
export async function writeDataset(
  view: SnapshotView,
  dataset: ExportableDataset,
  options: { folder: string; format: Format; filter: ExportFilter },
): Promise<WrittenFile> {
  const { folder, format, filter } = options;
  const file = fileNameOf(dataset, format);
  const columns = await columnNames(view, dataset);
  let rows = 0;
  const { sizeBytes, sha256 } = await writeAtomically(join(folder, file), async (write) => {
    if (format === 'csv') await write(renderLines([columns]));
    for await (const batch of exportRows(view, dataset, filter)) {
      rows += batch.length;
      await write(format === 'csv' ? renderCsv(columns, batch) : renderNdjson(batch));
    }
  });
  return { dataset: dataset.name, file, columns, rows, sizeBytes, sha256 };
}

function renderNdjson(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/**
 * Uses the same CSV cells as the API: formulas are escaped, and list items are separated by `;`.
 */
function renderCsv(columns: readonly string[], rows: readonly Row[]): string {
  return renderLines(rows.map((row) => columns.map((name) => csvCell(row[name]))));
}

function renderLines(lines: string[][]): string {
  return stringify(lines, { record_delimiter: '\r\n' });
}

async function writeAtomically(
  path: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const { path: temporaryPath, handle } = await openTemporaryFile(path);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    await fill(async (text) => {
      const bytes = Buffer.from(text);
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      await handle.appendFile(bytes);
    });
    await handle.close();
    await rename(temporaryPath, path);
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await handle.close();
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
