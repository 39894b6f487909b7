import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { localDate, type LocalDate } from '../domain/local-date.ts';
import { parseInstant } from '../platform/instant.ts';
import type { Endpoint, StoredFile, Values } from './endpoint.ts';
import { LATEST, loadManifest } from './tables/manifest.ts';
import { tables } from './tables/registry.gen.ts';

const FILE = /^(19\d\d|20\d\d|2100|undated|all)\.parquet$/;
/** Files without days have no history before a plan's. */
const LAST_DAY = localDate('2100-12-31');

/** Creates the endpoint that sends the Parquet files in a folder; null if no files are kept. */
export function datasetFileEndpoint(folder: string | null): Endpoint {
  return {
    name: 'dataset-file',
    path: '/v1/datasets/{dataset}/{file}',
    summary: 'Download of a data set',
    describe:
      'A Parquet file of `/v1/datasets`. `Range` requests a part of it, and `If-None-Match` or ' +
      '`If-Range` its version. The file of a year before the history of your plan is rejected. ' +
      'Each request counts as one, whatever its size.',
    tag: 'data',
    parameters: [
      {
        name: 'dataset',
        in: 'path',
        kind: 'enum',
        required: true,
        values: tables.map(({ name }) => name),
        describe: 'Data set.',
      },
      {
        name: 'file',
        in: 'path',
        kind: 'id',
        required: true,
        pattern: FILE,
        example: '2026.parquet',
        describe: 'A year such as `2026.parquet`, `undated.parquet` or `all.parquet`.',
      },
    ],
    response: Type.String({ format: 'binary', description: 'The file, or the range of it.' }),
    example: 'PAR1…',
    mediaType: 'application/vnd.apache.parquet',
    datasets: [],
    historicalAccess: true,
    firstDay,
    topics: () => [],
    maxAgeSeconds: () => 60,
    handle: () => Promise.resolve({ kind: 'not-found', detail: 'This endpoint sends files.' }),
    findFile: (values) => findFile(folder, values),
  };
}

export const endpoint: Endpoint = datasetFileEndpoint(null);

function firstDay(values: Values): LocalDate {
  const [, year = ''] = /^(\d{4})\./.exec(values.id('file')) ?? [];
  return year === '' ? LAST_DAY : localDate(`${year}-01-01`);
}

/** Finds a file in the newest complete set. */
async function findFile(folder: string | null, values: Values): Promise<StoredFile | null> {
  if (folder === null) return null;
  const [dataset, name] = [values.choice('dataset') ?? '', values.id('file')];
  // The folder of the set itself, because `latest` may lead to another one at any time.
  const set = await realpath(join(folder, LATEST)).catch(() => null);
  if (set === null) return null;
  const { tables: listed = [] } = (await loadManifest(set)) ?? {};
  const files = listed.find((table) => table.dataset === dataset)?.files ?? [];
  const file = files.find((candidate) => candidate.file === name);
  if (file === undefined) return null;
  return {
    path: join(set, dataset, name),
    name: `${dataset}-${name}`,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    modifiedAt: parseInstant(file.writtenAt) ?? 0,
  };
}
