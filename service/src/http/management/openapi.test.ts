import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../problems.ts';
import { managementApiFile } from '../openapi/openapi-files.ts';
import { printManagementApi } from './openapi.ts';
import { routeGroups } from './routes/registry.gen.ts';

interface Operation {
  operationId: string;
  'x-access': string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const printed = JSON.parse(managementApiFile(routeGroups)) as Document;
const routes = routeGroups.flatMap((group) => group.routes);
const operations = Object.entries(printed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('describes every management call once, with a unique operation ID', () => {
  const described = operations.map(
    ({ path, method, operation }) => `${operation.operationId} ${method} ${path}`,
  );
  const served = routes.map(({ name, method, path }) => `${name} ${method.toLowerCase()} ${path}`);
  expect(described.sort()).toEqual(served.sort());
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
});

test('contains no unresolved references in the management API document', () => {
  const found = [...JSON.stringify(printed).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(found.length).toBeGreaterThan(50);
  for (const [, name] of found) expect(printed.components.schemas).toHaveProperty(name ?? '');
});

test('describes tuples as lists of fixed length, because generators fail on prefixItems', () => {
  const { requestHeaders } = (
    printed.components.schemas['DeliveryAttempt'] as { properties: Record<string, object> }
  ).properties;
  const header = { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 };
  expect(requestHeaders).toMatchObject({ anyOf: [{ items: header }, { type: 'null' }] });
  expect(JSON.stringify(printed)).not.toMatch(/"items":\[|"additionalItems"|"prefixItems"/);
});

test('describes the problems for explored endpoints with their members and all codes', () => {
  const { properties } = printed.components.schemas['Problem'] as {
    properties: Record<string, { enum?: readonly string[] }>;
  };
  for (const name of ['symbol', 'suggestions', 'successorSymbol', 'earliestDate', 'accepted']) {
    expect(properties).toHaveProperty(name);
  }
  expect(properties['code']?.enum).toEqual(Object.keys(PROBLEMS));
});

test('documents the session cookie under the name that the service sets', () => {
  const nameAt = (publicUrl: string) =>
    printManagementApi({ groups: routeGroups, publicUrl, brand: 'Service' })['components'];
  const named = (name: string) => ({ securitySchemes: { session: { in: 'cookie', name } } });
  expect(nameAt('http://127.0.0.1:8080')).toMatchObject(named('afterbell-session-8080'));
  expect(nameAt('https://data.example')).toMatchObject(named('__Host-session'));
});

test('lists every path parameter, and does not mark optional parameters as required', () => {
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(inPath.every(({ required }) => required)).toBe(true);
    for (const { schema } of operation.parameters) expect(() => Compile(schema)).not.toThrow();
  }
});

test('disallows unknown members in documented request bodies, as validation does, and requires no credentials for open calls', () => {
  for (const { operation } of operations) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema !== undefined) expect(schema).toMatchObject({ additionalProperties: false });
    expect(operation.security.length === 0).toBe(operation['x-access'] === 'anyone');
  }
});

test('documents an API key only for calls that accept one', () => {
  const security = new Map(
    operations.map(({ operation }) => [operation.operationId, operation.security]),
  );
  expect(security.get('keys-list')).toEqual([
    { session: [] },
    { apiKeyInHeader: [] },
    { bearer: [] },
  ]);
  expect(security.get('webhook-secrets-reveal')).toEqual([{ session: [] }]);
  expect(security.get('sessions-list')).toEqual([{ session: [] }]);
});
