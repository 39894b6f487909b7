import {
  responseSchema,
  type Description,
  type Operation,
  isStream,
  isText,
  operationsOf,
  type Parameter,
} from './described.ts';
import type { Output } from './output.ts';
import {
  docstring,
  parameterType,
  PYTHON_GENERATED,
  pythonName,
  pythonType,
} from './python-types.ts';
import { describeReadApi } from './read-api.ts';
import type { JsonSchema } from './schema-type.ts';

/** The two Python clients, with one method for each read endpoint. */
export const pythonClient: Output = {
  path: 'clients/python/src/afterbell/client.py',
  async render(root) {
    const description = await describeReadApi(root);
    return description === null ? null : printClients(description);
  },
};

interface Flavor {
  className: string;
  base: string;
  summary: string;
  def: string;
  call: string;
}

const SYNC: Flavor = {
  className: 'Client',
  base: 'SyncTransport',
  summary: 'Reads data with an API key. Its methods block.',
  def: 'def',
  call: '',
};
const ASYNC: Flavor = {
  className: 'AsyncClient',
  base: 'AsyncTransport',
  summary: 'Reads data with an API key. Its methods are coroutines, for asyncio and Trio.',
  def: 'async def',
  call: 'await ',
};

export function printClients({ paths, components }: Description): string {
  const models = Object.keys(components.schemas).toSorted();
  // A stream never ends, so a method that returns the response cannot read it.
  const operations = operationsOf(paths).filter(
    ({ method, operation }) => method === 'get' && !isStream(operation),
  );
  const classes = [SYNC, ASYNC].map((flavor) =>
    [
      `\nclass ${flavor.className}(${flavor.base}):\n${docstring([flavor.summary], '    ')}`,
      ...operations.map(({ path, operation }) => printMethod(path, operation, flavor)),
    ].join('\n'),
  );
  const text = classes.join('\n');
  const used = models.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return [
    PYTHON_GENERATED,
    `"""The clients, with one method for each endpoint."""\n`,
    `from __future__ import annotations\n`,
    `import datetime as dt`,
    `from collections.abc import Sequence`,
    `from decimal import Decimal`,
    `from typing import Literal, overload\n`,
    `from ._tables import Rows`,
    `from ._transport import AsyncTransport, SyncTransport`,
    `from .models import (\n${used.map((name) => `    ${name},\n`).join('')})\n`,
    text,
  ].join('\n');
}

interface Method {
  path: string;
  operation: Operation;
  parameters: readonly Parameter[];
  flavor: Flavor;
}

function printMethod(path: string, operation: Operation, flavor: Flavor): string {
  const parameters = operation.parameters ?? [];
  const method = { path, operation, parameters, flavor };
  const response = responseOf(operation);
  const item = response.item;
  if (response.kind !== 'either') return printDefinition(method, RETURNS[response.kind](item));
  // A single day is one object, and a range of days is a list of them.
  const range = parameters.filter(({ name }) => name === 'from' || name === 'to');
  const day = parameters.filter(({ name }) => name === 'date');
  const returned = RETURNS.either(item);
  if (day.length === 0 || range.length === 0) return printDefinition(method, returned);
  return [
    printOverload(method, { required: day, excluded: range }, item),
    printOverload(method, { required: range, excluded: day }, `Rows[${item}]`),
    printDefinition(method, returned),
  ].join('');
}

type Kind = 'text' | 'bytes' | 'model' | 'rows' | 'either';

const RETURNS: Readonly<Record<Kind, (item: string) => string>> = {
  text: () => 'str',
  bytes: () => 'bytes',
  model: (item) => item,
  rows: (item) => `Rows[${item}]`,
  either: (item) => `${item} | Rows[${item}]`,
};

function responseOf(operation: Operation): { kind: Kind; item: string } {
  const schema = responseSchema(operation);
  if (schema === undefined) {
    return isText(operation) ? { kind: 'text', item: '' } : { kind: 'bytes', item: '' };
  }
  if (schema.type === 'array') return { kind: 'rows', item: itemType(schema) };
  const rows = schema.anyOf?.find(({ type }) => type === 'array');
  if (rows !== undefined) return { kind: 'either', item: itemType(rows) };
  return { kind: 'model', item: pythonType(schema) };
}

function itemType({ items }: JsonSchema): string {
  return typeof items === 'object' ? pythonType(items) : 'Any';
}

function printOverload(
  { operation, parameters, flavor }: Method,
  { required, excluded }: { required: readonly Parameter[]; excluded: readonly Parameter[] },
  returned: string,
): string {
  const kept = parameters.filter((parameter) => !excluded.includes(parameter));
  const signature = printSignature(kept, (it) => isRequired(it) || required.includes(it));
  return (
    `    @overload\n    ${flavor.def} ${pythonName(operation.operationId)}(\n${signature}` +
    `    ) -> ${returned}: ...\n`
  );
}

function printDefinition(
  { path, operation, parameters, flavor }: Method,
  returned: string,
): string {
  const { kind, item } = responseOf(operation);
  const values = parameters.map(({ name }) => `                "${name}": ${pythonName(name)},\n`);
  const sent = values.length === 0 ? '{}' : `{\n${values.join('')}            }`;
  const model = item === '' ? '' : `            ${item},\n`;
  return [
    `    ${flavor.def} ${pythonName(operation.operationId)}(\n`,
    printSignature(parameters, isRequired),
    `    ) -> ${returned}:\n`,
    docstring(
      [
        `${operation.summary}: \`GET ${path}\`.`,
        operation.description,
        ...parameters.map(printEntry),
      ],
      '        ',
    ),
    `        return ${flavor.call}self._${kind}(\n            "${path}",\n${model}            ${sent},\n        )\n`,
  ].join('');
}

function printEntry({ name, description = '' }: Parameter): string {
  return `\`${pythonName(name)}\`: ${description}`;
}

function isPositional(parameter: Parameter): boolean {
  return isRequired(parameter) || parameter['x-required-unless'] !== undefined;
}

function isRequired({ required }: Parameter): boolean {
  return required === true;
}

/**
 * Parameters that are required, at least unless others are given, can be passed by position, all
 * others only by name.
 */
function printSignature(
  parameters: readonly Parameter[],
  isNeeded: (parameter: Parameter) => boolean,
): string {
  const print = (it: Parameter) =>
    isNeeded(it) ? printParameter(it) : `${printParameter(it)} | None = None`;
  const byPosition = parameters.filter(isPositional);
  const byName = parameters.filter((it) => !isPositional(it));
  const sorted = [...byPosition.filter(isRequired), ...byPosition.filter((it) => !isRequired(it))];
  const lines = [
    'self',
    ...sorted.map(print),
    ...(byName.length === 0 ? [] : ['*']),
    ...byName.map(print),
  ];
  return lines.map((line) => `        ${line},\n`).join('');
}

function printParameter(parameter: Parameter): string {
  return `${pythonName(parameter.name)}: ${parameterType(parameter)}`;
}
