import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectMatchesOpenApi } from '../../../test/support/openapi.ts';
import { type ReadServer, startReadServer } from '../../../test/support/read-server.ts';
import { stubWorld } from '../../../test/support/stub-endpoints.ts';
import { named } from '../../endpoints/schema/fields.ts';
import { endpoints as shipped } from '../../endpoints/registry.gen.ts';
import { templates } from '../../webhooks/templates/registry.gen.ts';
import { collectSchemas } from './collect-schemas.ts';
import { printOpenApi } from './openapi-document.ts';
import { parametersOf } from '../request/endpoint-parameters.ts';
import { PROBLEMS } from '../problems.ts';
import { openApiFile } from './openapi-files.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const { endpoints } = stubWorld();
const printed = JSON.parse(openApiFile(endpoints)) as Document;
const shippedDocument = JSON.parse(openApiFile(shipped, templates)) as Document;
const shippedPaths = shippedDocument.paths;

interface Operation {
  operationId: string;
  'x-historical-access'?: boolean;
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, { get: Operation }>;
  webhooks?: Record<string, { post: Operation }>;
  components: Record<string, Record<string, object>>;
}

test('generates an OpenAPI 3.1 document for API version 1.0.0, with the API key in the query or a header', () => {
  expect(printed).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.0.0' },
    components: {
      securitySchemes: { apiKeyInQuery: { type: 'apiKey', in: 'query', name: 'apikey' } },
    },
  });
});

test('lists every endpoint in the OpenAPI document with its parameters and whether it supports historical access', () => {
  expect(Object.keys(printed.paths).sort()).toEqual(endpoints.map(({ path }) => path).sort());
  for (const endpoint of endpoints) {
    const operation = printed.paths[endpoint.path]?.get;
    expect(operation?.operationId).toBe(endpoint.name);
    expect(operation?.parameters.map(({ name, required }) => ({ name, required }))).toEqual(
      parametersOf(endpoint)
        .filter(({ name }) => name !== 'format')
        .map(({ name, required }) => ({ name, required })),
    );
    expect(operation?.['x-historical-access']).toBe(endpoint.historicalAccess ? true : undefined);
  }
});

test('does not require a date where a range may replace it', () => {
  const { parameters = [] } = shippedPaths['/v1/calendar/economic']?.get ?? {};
  expect(parameters[0]).toMatchObject({ required: false, 'x-required-unless': ['from', 'to'] });
  expect(requiredNames('/v1/earnings-movers')).toEqual(['date']);
});

test('describes a day and a range as two operations if their responses differ', () => {
  expect(requiredNames('/v1/calendar/earnings')).toEqual([]);
  expect(requiredNames('/v1/calendar/earnings/range')).toEqual(['from', 'to']);
  const day = { $ref: '#/components/schemas/EarningsCalendar' };
  expect(responseSchema('/v1/calendar/earnings')).toEqual(day);
  expect(responseSchema('/v1/calendar/earnings/range')).toMatchObject({
    type: 'array',
    items: day,
  });
  const names = shippedPaths['/v1/calendar/earnings']?.get.parameters.map(({ name }) => name);
  for (const name of ['from', 'to', 'limit', 'cursor']) expect(names).not.toContain(name);
});

test('describes one media type for each response, and only parameters with a choice', () => {
  for (const [path, { get }] of Object.entries(shippedPaths)) {
    expect(Object.keys(get.responses['200']?.content ?? {}), path).toHaveLength(1);
    expect(get.parameters.map(({ name }) => name)).not.toContain('format');
  }
  expect(shippedPaths['/v1/earnings']?.get).toMatchObject({ 'x-csv': true });
  expect(shippedPaths['/v1/market-status']?.get).not.toHaveProperty('x-csv');
});

test('has names that are still unique after each generator has derived its own from them', () => {
  const { paths, components, webhooks } = shippedDocument;
  const ids = Object.values(paths).map(({ get }) => get.operationId);
  const hooks = Object.values(webhooks ?? {}).map(({ post }) => post.operationId);
  const pascal = (id: string) =>
    id.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
  const derived = [...ids, ...hooks].flatMap((id) =>
    ['Data', 'Error', 'Errors', 'Params', 'Response', 'Responses'].map((end) => pascal(id) + end),
  );
  const names = [...derived, ...Object.keys(components.schemas ?? {})].map((name) =>
    name.toLowerCase(),
  );
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('describes the delivery of every webhook template, with its fields in order', () => {
  const { components, webhooks = {} } = shippedDocument;
  expect(Object.keys(webhooks)).toEqual(templates.map(({ eventType }) => eventType));
  const data = components.schemas?.['DividendDeclaredData'] as { properties: object };
  const template = templates.find(({ templateId }) => templateId === 'dividend_declared');
  expect(Object.keys(data.properties)).toEqual(template?.fields);
  expect(components.schemas?.['DividendDeclaredDelivery']).toMatchObject({
    required: [
      'id',
      'created_at',
      'template_id',
      'event_type',
      'context',
      'data',
      'changed_fields',
    ],
    properties: { template_id: { enum: ['dividend_declared'] } },
  });
});

function requiredNames(path: string): string[] {
  const { parameters = [] } = shippedPaths[path]?.get ?? {};
  return parameters.filter(({ required }) => required).map(({ name }) => name);
}

function responseSchema(path: string): object | undefined {
  return shippedPaths[path]?.get.responses['200']?.content?.['application/json']?.schema;
}

test('has no broken references in the OpenAPI document', () => {
  const text = JSON.stringify(printed);
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
  expect(references.length).toBeGreaterThan(10);
  for (const [, kind = '', name = ''] of references) {
    expect(printed.components[kind], `${kind} ${name}`).toHaveProperty([name]);
  }
});

test('lists every error code of the read API under its status, except for those of files and logs', () => {
  const kinds = Object.values(PROBLEMS).filter(
    ({ status }) => ![409, 410, 413, 415, 416, 422].includes(status),
  );
  const expected = [...new Set(kinds.map(({ status }) => String(status)))].sort();
  for (const [path, { get }] of Object.entries(printed.paths)) {
    const listed = Object.keys(get.responses).filter((status) => status >= '400');
    const ofLog = path.startsWith('/v1/changes') ? ['410'] : [];
    expect(listed.sort(), path).toEqual([...expected, ...ofLog].sort());
  }
});

test('publishes a schema that matches the problems sent by the server', async () => {
  const schema = Compile(printed.components.schemas?.Problem ?? {});
  const headers = { 'X-Api-Key': server.keys.good };
  const replies = await Promise.all([
    server.get('/v1/calendar/stub?date=no', headers),
    server.get('/v1/calendar/stub'),
    server.get('/v1/profile-stub/NONE', headers),
    server.get('/v1/nothing'),
    server.get('/nothing'),
  ]);
  for (const reply of replies) expect(schema.Check(reply.json())).toBe(true);
});

test('publishes schemas that match the actual responses and the examples', async () => {
  const headers = { 'X-Api-Key': server.keys.good };
  const [calendar, profile, status] = endpoints;
  if (!calendar || !profile || !status) throw new Error('the stub has three endpoints');
  for (const endpoint of endpoints) expectMatchesOpenApi(endpoint, endpoint.example);
  const day = await server.get('/v1/calendar/stub?date=today', headers);
  expectMatchesOpenApi(calendar, day.json());
  expectMatchesOpenApi(profile, (await server.get('/v1/profile-stub/ABC', headers)).json());
  expect(() => expectMatchesOpenApi(calendar, { date: '2026-11-20' })).toThrow('names');
  const more = { date: '2026-11-20', names: [], more: 1 };
  expect(() => expectMatchesOpenApi(calendar, more)).toThrow('additional');
});

test('serves the generated document with the public URL', async () => {
  const reply = await server.get('/openapi.json');
  const expected = printOpenApi({ endpoints, publicUrl: 'http://data.example', brand: 'Service' });
  expect(reply.json()).toEqual(expected);
  expect(reply.headers['access-control-allow-origin']).toBe('*');
});

test('includes a named schema only once and rejects two different schemas with the same name', () => {
  const into = {};
  const row = named('Row', { a: Type.String() });
  expect(collectSchemas(Type.Array(row), into)).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/Row' },
  });
  collectSchemas(row, into);
  expect(into).toEqual({
    Row: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  });
  expect(() => collectSchemas(named('Row', { b: Type.String() }), into)).toThrow('named Row');
});
