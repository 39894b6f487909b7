import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { csvCell } from '../../http/response/csv.ts';
import type { FrozenView, Row } from '../../storage/db.ts';
import { openTemporaryFile } from '../../platform/temporary-file.ts';
import { CliError } from '../command.ts';
import { exportedNames, exportRows, type Wanted } from './export-rows.ts';
import type { Exported } from './exported.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** One line of the manifest. */
export interface WrittenFile {
  dataset: string;
  file: string;
  columns: string[];
  rows: number;
  sizeBytes: number;
  sha256: string;
}

/** Makes the folder. Throws CliError when a file of an export is in it. */
export async function prepareFolder(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const path = join(folder, name);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere) throw new CliError(`${path} is there already: name another folder`);
  }
}

export function fileNameOf({ name }: Exported, format: Format): string {
  return `${name}.${format}`;
}

/** Writes one data set to its file, which is there whole or not at all. */
export async function writeDataset(
  view: FrozenView,
  exported: Exported,
  options: { folder: string; format: Format; wanted: Wanted },
): Promise<WrittenFile> {
  const { folder, format, wanted } = options;
  const file = fileNameOf(exported, format);
  const columns = await exportedNames(view, exported);
  let rows = 0;
  const { sizeBytes, sha256 } = await writeWhole(join(folder, file), async (write) => {
    if (format === 'csv') await write(renderLines([columns]));
    for await (const batch of exportRows(view, exported, wanted)) {
      rows += batch.length;
      await write(format === 'csv' ? renderCsv(columns, batch) : renderNdjson(batch));
    }
  });
  return { dataset: exported.name, file, columns, rows, sizeBytes, sha256 };
}

/** One JSON object a line. */
function renderNdjson(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** As lists of the interface as CSV: no text runs as a formula, lists are separated by `;`. */
function renderCsv(columns: readonly string[], rows: readonly Row[]): string {
  return renderLines(rows.map((row) => columns.map((name) => csvCell(row[name]))));
}

function renderLines(lines: string[][]): string {
  return stringify(lines, { record_delimiter: '\r\n' });
}

async function writeWhole(
  path: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const { path: draft, handle } = await openTemporaryFile(path);
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
    await rename(draft, path);
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}
