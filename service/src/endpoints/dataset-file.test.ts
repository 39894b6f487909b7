import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSet, WRITTEN_AT } from '../../test/support/dataset-files.ts';
import { type ReadServer, type Reply, startReadServer } from '../../test/support/read-server.ts';
import { parameterValues } from '../../test/support/parameter-values.ts';
import type { Cost } from '../domain/quota-window.ts';
import { datasetFileEndpoint, endpoint } from './dataset-file.ts';

const TEXT = 'PAR1'.repeat(50_000);
const PATH = '/v1/datasets/earnings/2026.parquet';
const etag = `"${createHash('sha256').update(TEXT).digest('hex')}"`;
const folder = mkdtempSync(join(tmpdir(), 'afterbell-files-'));
const costs: Cost[] = [];
let server: ReadServer;

beforeAll(async () => {
  writeSet(folder, 'a', { '2026.parquet': TEXT });
  server = await startReadServer({
    endpoints: [datasetFileEndpoint(folder)],
    checkQuota: ({ cost }) => {
      costs.push(cost);
      return { kind: 'admitted', headers: [], refund: () => undefined };
    },
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function get(headers: Record<string, string> = {}, method = 'GET', path = PATH): Promise<Reply> {
  return server.get(path, { 'X-Api-Key': server.keys.good, ...headers }, method);
}

test('sends a file with its checksum, and only its headers for HEAD', async () => {
  const { status, headers, body } = await get();
  expect([status, body.toString()]).toEqual([200, TEXT]);
  expect(headers).toMatchObject({
    etag,
    'content-type': 'application/vnd.apache.parquet',
    'content-length': '200000',
    'content-disposition': 'attachment; filename="earnings-2026.parquet"',
    'accept-ranges': 'bytes',
    'last-modified': new Date(WRITTEN_AT).toUTCString(),
  });
  const digest = Buffer.from(etag.slice(1, -1), 'hex').toString('base64');
  expect(headers['repr-digest']).toBe(`sha-256=:${digest}:`);
  const head = await get({}, 'HEAD');
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
    200,
    '200000',
    0,
  ]);
});

test.each([
  ['bytes=0-3', 'bytes 0-3/200000', 'PAR1'],
  ['bytes=199998-', 'bytes 199998-199999/200000', 'R1'],
  ['bytes=199999-999999', 'bytes 199999-199999/200000', '1'],
  ['bytes=-5', 'bytes 199995-199999/200000', '1PAR1'],
])('sends the range %s', async (range, contentRange, text) => {
  const { status, headers, body } = await get({ Range: range });
  expect([status, headers['content-range'], body.toString()]).toEqual([206, contentRange, text]);
});

test.each(['bytes=0-1,3-4', 'bytes=9-2', 'rows=0-3', 'bytes=-', 'bytes=x-'])(
  'sends the whole file for the range %s, which it does not support',
  async (range) => {
    const { status, body } = await get({ Range: range });
    expect([status, body.length]).toEqual([200, TEXT.length]);
  },
);

test.each(['bytes=200000-', 'bytes=-0'])(
  'rejects the range %s outside of the file',
  async (range) => {
    const reply = await get({ Range: range });
    expect([reply.status, reply.headers['content-range']]).toEqual([416, 'bytes */200000']);
    expect(reply.json()).toMatchObject({ code: 'range-not-satisfiable' });
  },
);

test('sends the whole file if If-Range names another version', async () => {
  const Range = 'bytes=0-3';
  expect((await get({ Range, 'If-Range': etag })).status).toBe(206);
  expect((await get({ Range, 'If-Range': '"other"' })).status).toBe(200);
});

test('charges one request for a file or a range, and the minute alone for a 304', async () => {
  costs.length = 0;
  await get();
  await get({ Range: 'bytes=0-3' });
  const unmodified = await get({ 'If-None-Match': `"x", ${etag}` });
  expect([unmodified.status, unmodified.body.length]).toEqual([304, 0]);
  expect(costs).toEqual(['all', 'all', 'minute']);
});

test.each([
  ['/v1/datasets/earnings/2025.parquet', 404],
  ['/v1/datasets/nothing/2026.parquet', 400],
  ['/v1/datasets/earnings/manifest.json', 400],
  ['/v1/datasets/earnings/..%2F..%2Fmanifest.json', 400],
  ['/v1/datasets/earnings/2026.parquet%00', 400],
])('does not send a file for %s', async (path, status) => {
  expect((await get({}, 'GET', path)).status).toBe(status);
});

test('continues a download while a newer set replaces the file', async () => {
  const first = await get({ Range: 'bytes=0-99999' });
  writeSet(folder, 'b', { '2026.parquet': 'PAR2' });
  const resumed = await get({ Range: 'bytes=100000-', 'If-Range': first.headers.etag ?? '' });
  expect([resumed.status, resumed.body.toString()]).toEqual([200, 'PAR2']);
});

test('belongs to the history from the first day of its year, or to every plan without days', () => {
  const firstDay = (file: string) => endpoint.firstDay?.(parameterValues({ file }));
  expect(firstDay('2019.parquet')).toBe('2019-01-01');
  expect(firstDay('undated.parquet')).toBe('2100-12-31');
});
