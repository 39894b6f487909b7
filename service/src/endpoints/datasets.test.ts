import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { afterAll, expect, test } from 'vitest';
import { writeSet, WRITTEN_AT } from '../../test/support/dataset-files.ts';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { datasetsEndpoint, endpoint } from './datasets.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterbell-listed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const context = { db: { query: () => Promise.reject(new Error('not used')) }, now: 0 };

async function listed(of: typeof endpoint) {
  const response = await of.handle(parameterValues({}), context);
  return response.kind === 'body' ? response : null;
}

test('lists nothing until the first export', async () => {
  expect(await listed(endpoint)).toMatchObject({ body: [], asOf: null });
  expect(await listed(datasetsEndpoint(folder))).toMatchObject({ body: [], asOf: null });
});

test('lists the files of the newest set with their checksums', async () => {
  writeSet(folder, 'a', { '2026.parquet': 'PAR1' });
  const response = await listed(datasetsEndpoint(folder));
  expect(response?.asOf).toBe(Date.parse(WRITTEN_AT));
  expect(response?.body).toEqual([
    {
      dataset: 'earnings',
      exportedAt: WRITTEN_AT,
      files: [
        {
          path: '/v1/datasets/earnings/2026.parquet',
          from: '2026-01-01',
          to: '2026-12-31',
          rows: 2,
          sizeBytes: 4,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          writtenAt: WRITTEN_AT,
        },
      ],
    },
  ]);
  expect(Compile(endpoint.response).Check(response?.body)).toBe(true);
});

test('has an example that matches the schema', () => {
  expect(Compile(endpoint.response).Check(endpoint.example)).toBe(true);
});
