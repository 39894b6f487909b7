import { afterAll, beforeAll, expect, test } from 'vitest';
import { Type } from 'typebox';
import { type ReadServer, startReadServer } from '../../test/support/read-server.ts';
import { localDate } from '../domain/local-date.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { endpoints } from '../endpoints/registry.gen.ts';
import { printOpenApi } from './openapi/openapi-document.ts';
import type { JsonObject } from './openapi/collect-schemas.ts';

/** A deprecated operation used only in this test. */
const oldQuotes: Endpoint = {
  name: 'old-quotes',
  path: '/v1/old-quotes',
  summary: 'Quotes in the old format',
  describe: 'Made up.',
  tag: 'market',
  parameters: [],
  response: Type.Object({ quotes: Type.Array(Type.String()) }),
  example: { quotes: [] },
  datasets: [],
  historicalAccess: false,
  deprecated: {
    since: localDate('2026-12-01'),
    sunset: localDate('2027-12-01'),
    link: 'https://data.example/guides/versions',
    successor: '/v1/market-status',
  },
  topics: () => [],
  maxAgeSeconds: () => 60,
  handle: async () => ({ kind: 'body', body: { quotes: [] }, asOf: null }),
};

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer({ endpoints: [oldQuotes] });
});
afterAll(() => server.stop());

/** Midnight in New York, as a structured-field date and as an HTTP date. */
const DEPRECATION_HEADERS = {
  deprecation: '@1796101200',
  sunset: 'Wed, 01 Dec 2027 05:00:00 GMT',
  link: [
    '<https://data.example/guides/versions>; rel="deprecation"; type="text/html"',
    '<https://data.example/guides/versions>; rel="sunset"; type="text/html"',
    '</v1/market-status>; rel="successor-version"',
  ].join(', '),
};

test('serves a deprecated endpoint unchanged and announces the deprecation on every response, including errors', async () => {
  const headers = { 'X-Api-Key': server.keys.good };
  const first = await server.get('/v1/old-quotes', headers);
  expect([first.status, first.json()]).toEqual([200, { quotes: [] }]);
  expect(first.headers).toMatchObject(DEPRECATION_HEADERS);
  const tag = String(first.headers.etag);
  const notModified = await server.get('/v1/old-quotes', { ...headers, 'If-None-Match': tag });
  expect(notModified.status).toBe(304);
  expect(notModified.headers).toMatchObject(DEPRECATION_HEADERS);
  const odd = await server.get('/v1/old-quotes?more=1', headers);
  expect(odd.headers).toMatchObject({ ...DEPRECATION_HEADERS, 'x-ignored-parameters': 'more' });
  const refused = await server.get('/v1/old-quotes', { ...headers, Accept: 'text/csv' });
  expect(refused.status).toBe(406);
  expect(refused.headers).toMatchObject(DEPRECATION_HEADERS);
});

test('sends no deprecation headers for endpoints that are not deprecated', async () => {
  const path = '/v1/calendar/stub?date=2026-11-20';
  const { headers } = await server.get(path, { 'X-Api-Key': server.keys.good });
  expect(headers).not.toHaveProperty('deprecation');
  expect(headers).not.toHaveProperty('sunset');
});

test('marks a deprecated operation in the OpenAPI document, with its sunset date and a link', () => {
  const { paths } = printOpenApi({ endpoints: [oldQuotes], publicUrl: '/', brand: 'Service' });
  const { get } = (paths as JsonObject)['/v1/old-quotes'] as { get: JsonObject };
  expect(get).toMatchObject({
    deprecated: true,
    'x-sunset': '2027-12-01',
    externalDocs: { url: 'https://data.example/guides/versions' },
    description:
      'Made up.\n\nDeprecated since 2026-12-01. Available until at least 2027-12-01. Use /v1/market-status instead. See https://data.example/guides/versions.',
  });
});

test('keeps every deprecated operation available for at least a year', () => {
  for (const { name, deprecated } of [...endpoints, oldQuotes]) {
    if (deprecated === undefined || deprecated.sunset === null) continue;
    const apartMs = Date.parse(deprecated.sunset) - Date.parse(deprecated.since);
    expect(apartMs, name).toBeGreaterThanOrEqual(365 * 86_400_000);
  }
});
