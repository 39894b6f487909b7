import { gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Column } from './columns.ts';
import { encoderOf, type Misfits, parquetSchema } from './parquet-schema.ts';
import type { ExportedRow } from './read-rows.ts';
import type { AppendBytes } from './write-file.ts';

/** Every reader knows gzip, and it needs no library here. */
const CODEC = 'GZIP';
const COMPRESSORS = { GZIP: (bytes: Uint8Array) => gzipSync(bytes) };

/**
 * Rows that are encoded at a time, which blocks the event loop, and held in memory. A reader can
 * skip a group by the range of its values.
 */
const GROUP_ROWS = 5_000;

/** Writes rows as a Parquet file. Holds at most one group of rows in memory. */
export async function writeParquet(
  columns: readonly Column[],
  batches: AsyncIterable<readonly ExportedRow[]>,
  append: AppendBytes,
): Promise<{ rows: number; misfits: Misfits }> {
  const misfits: Misfits = { rounded: 0, tooLarge: 0 };
  const writer = new ParquetWriter({
    writer: appendingWriter(append),
    schema: parquetSchema(columns),
    codec: CODEC,
    compressors: COMPRESSORS,
    createdBy: 'afterbell',
  });
  const encoders = columns.map(({ name, type }) => ({ name, encode: encoderOf(type, misfits) }));
  let group: ExportedRow[] = [];
  let rows = 0;

  async function flush(): Promise<void> {
    const columnData = encoders.map(({ name, encode }) => ({
      name,
      data: group.map((row) => encode(row[name])),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    rows += group.length;
    group = [];
  }

  for await (const batch of batches) {
    for (const row of batch) {
      group.push(row);
      if (group.length === GROUP_ROWS) await flush();
    }
  }
  if (group.length > 0) await flush();
  await writer.finish();
  return { rows, misfits };
}

/** Collects bytes until the end of a group, then appends them to the file. */
function appendingWriter(append: AppendBytes): ByteWriter {
  const writer = new ByteWriter();
  const flush = async (): Promise<void> => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    await append(bytes);
  };
  return Object.assign(writer, { flush, finish: flush });
}
