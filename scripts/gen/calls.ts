import type { RouteGroup } from '../../service/src/http/management/route.ts';
import { managementApiFile } from '../../service/src/http/openapi/openapi-files.ts';
import { loadModule } from './load-module.ts';
import { GENERATED, type Output } from './output.ts';
import {
  responseSchema,
  type Description,
  type Operation,
  type Parameter,
  operationsOf,
  printNamed,
  printPart,
} from './described.ts';
import { printType } from './schema-type.ts';

/** The management calls with the types of their requests and responses, for the dashboard. */
export const calls: Output = {
  path: 'dashboard/src/api/calls.gen.ts',
  async render(root) {
    const path = 'service/src/http/management/routes/registry.gen.ts';
    const source = await loadModule<{ routeGroups: readonly RouteGroup[] }>(root, path);
    if (source === null) return null;
    return printCalls(JSON.parse(managementApiFile(source.routeGroups)) as Description);
  },
};

function printCalls({ paths, components }: Description): string {
  const operations = operationsOf(paths);
  const types = Object.entries(components.schemas).map(([name, schema]) =>
    printNamed(name, schema),
  );
  const signatures = operations.map(({ operation }) => printSignature(operation));
  const table = operations.map(({ path, method, operation }) => {
    const asks = (operation.parameters ?? []).some(
      ({ name }) => name === 'customerId' && !path.includes(`{${name}}`),
    );
    const customerFlag = asks ? ', ofCustomer: true' : '';
    return `  '${operation.operationId}': { method: '${method.toUpperCase()}', path: '${path}'${customerFlag} },\n`;
  });
  return [
    `${GENERATED}\n`,
    ...types,
    `/** Every call with its parts; \`customerId\` is left to the client. */`,
    `export interface Calls {\n${signatures.join('')}}\n`,
    `export const CALLS: { readonly [N in keyof Calls]: CallPlace } = {\n${table.join('')}};\n`,
    `export interface CallPlace {\n  readonly method: string;\n  readonly path: string;\n` +
      `  /** Takes the id of the account it is about. */\n  readonly ofCustomer?: true;\n}\n`,
  ].join('\n');
}

const FORMAT: Parameter = { name: 'format', in: 'query', schema: { enum: ['json', 'csv'] } };

function printSignature(operation: Operation): string {
  const query = (operation.parameters ?? []).filter(
    (it) => it.in === 'query' && it.name !== 'customerId',
  );
  if (operation['x-csv'] === true) query.push(FORMAT);
  const path = (operation.parameters ?? []).filter((it) => it.in === 'path');
  const body = operation.requestBody?.content['application/json'].schema;
  const response = responseSchema(operation);
  return [
    `  /** ${operation.summary} */\n`,
    `  '${operation.operationId}': {\n`,
    printPart('path', path),
    printPart('query', query),
    `    body: ${body === undefined ? 'null' : printType(body, 2)};\n`,
    `    response: ${response === undefined ? 'null' : printType(response, 2)};\n`,
    `  };\n`,
  ].join('');
}
