import { join } from 'node:path';
import { parseInstant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import { LATEST, loadManifest } from './tables/manifest.ts';
import { tables } from './tables/registry.gen.ts';
import {
  type BodyOf,
  choice,
  date,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from './schema/fields.ts';

/** The files change once a night. */
const CACHE_MS = 10_000;

const dataFile = named('DatasetFile', {
  path: text('Path of the download below the base URL.'),
  from: nullable(date('First day of the rows; null without days.')),
  to: nullable(date('Last day of the rows; null without days.')),
  rows: integer('Number of rows, all versions included.'),
  sizeBytes: integer('Size of the file.'),
  sha256: text('Checksum of the file, hexadecimal; also its `ETag`.'),
  writtenAt: instant('Time of the export that wrote it. A file without changes is kept.'),
});

const datasetTable = named('DatasetTable', {
  dataset: choice(
    tables.map(({ name }) => name),
    'Data set.',
  ),
  exportedAt: instant('Time of the last complete export.'),
  files: list(dataFile, 'Files by year, oldest first. Together they are the table.'),
});

/** Creates the endpoint for the Parquet files in a folder; null if no files are kept. */
export function datasetsEndpoint(folder: string | null): Endpoint {
  return {
    name: 'datasets',
    path: '/v1/datasets',
    summary: 'Downloadable data sets',
    describe:
      'Parquet files of whole data sets, with every version of each row and the columns of the ' +
      'other endpoints. Changed files are written every night, all from one snapshot. The list ' +
      'is empty until the first export.',
    tag: 'data',
    parameters: [],
    response: list(datasetTable, 'Data sets.'),
    example: [
      {
        dataset: 'earnings',
        exportedAt: '2026-11-20T08:30:00Z',
        files: [
          {
            path: '/v1/datasets/earnings/2026.parquet',
            from: '2026-01-01',
            to: '2026-12-31',
            rows: 31_250,
            sizeBytes: 2_310_400,
            sha256: '5f3c1b7e9a2d4c6885b0e1f23a4d5c6b7e8f90112233445566778899aabbccdd',
            writtenAt: '2026-11-20T08:30:00Z',
          },
        ],
      } satisfies BodyOf<typeof datasetTable>,
    ],
    rowKey: ['dataset'],
    // Computed from files. The data sets in them are named in each row.
    datasets: [],
    historicalAccess: false,
    topics: () => [],
    validUntil: (_, now) => now + CACHE_MS,
    maxAgeSeconds: () => 60,
    async handle() {
      const manifest = folder === null ? null : await loadManifest(join(folder, LATEST));
      if (manifest === null) return { kind: 'body', body: [], asOf: null };
      const { exportedAt } = manifest;
      const body = manifest.tables.map(({ dataset, files }): BodyOf<typeof datasetTable> => ({
        dataset,
        exportedAt,
        files: files.map(({ file, from, to, rows, sizeBytes, sha256, writtenAt }) => ({
          path: `/v1/datasets/${dataset}/${file}`,
          from,
          to,
          rows,
          sizeBytes,
          sha256,
          writtenAt,
        })),
      }));
      return { kind: 'body', body, asOf: parseInstant(exportedAt) };
    },
  };
}

export const endpoint: Endpoint = datasetsEndpoint(null);
