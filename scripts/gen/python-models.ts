import { responseSchema, type Description, operationsOf } from './described.ts';
import type { Output } from './output.ts';
import {
  docstring,
  isDerivable,
  PYTHON_GENERATED,
  pythonName,
  pythonType,
} from './python-types.ts';
import { describeReadApi } from './read-api.ts';
import type { JsonSchema } from './schema-type.ts';

/** The models of the Python client, one for each named schema. */
export const pythonModels: Output = {
  path: 'clients/python/src/afterbell/models.py',
  async render(root) {
    const description = await describeReadApi(root);
    return description === null ? null : printModels(description);
  },
};

const HEADER = `${PYTHON_GENERATED}
"""The objects of the API. Unknown values are \`None\`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from ._model import Model
from ._tables import TableModel
`;

export function printModels({ paths, components }: Description): string {
  const tables = tableNames(paths);
  const models = Object.entries(components.schemas).map(([name, schema]) =>
    schema.type === 'object' && schema.properties !== undefined
      ? printModel(name, schema, tables.has(name) ? 'TableModel' : 'Model')
      : `${name} = ${pythonType(schema)}\n`,
  );
  const names = Object.keys(components.schemas).toSorted();
  const exported = `__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]\n`;
  return [HEADER, exported, ...models].join('\n');
}

/** Returns the schemas that are responses with rows but not arrays themselves. */
function tableNames(paths: Description['paths']): Set<string> {
  const responses = operationsOf(paths).flatMap(({ operation }) =>
    operation['x-csv'] === true ? (responseSchema(operation) ?? []) : [],
  );
  const options = responses.flatMap((schema) => schema.anyOf ?? [schema]);
  return new Set(options.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []));
}

function printModel(name: string, schema: JsonSchema, base: string): string {
  const { properties = {}, required = [], description } = schema;
  const fields = Object.entries(properties).map(([member, property]) =>
    printField(member, property, required.includes(member)),
  );
  return [
    `\n@dataclass(frozen=True, kw_only=True, slots=True)\nclass ${name}(${base}):\n`,
    description === undefined ? '' : `${docstring([description], '    ')}\n`,
    ...fields,
  ].join('');
}

function printField(name: string, schema: JsonSchema, isRequired: boolean): string {
  const type = isRequired ? pythonType(schema) : optional(pythonType(schema));
  const description = descriptionOf(schema);
  return [
    `    ${pythonName(name)}: ${type}${defaultOf(name, isRequired)}\n`,
    description === undefined ? '' : docstring([description], '    '),
  ].join('');
}

function optional(type: string): string {
  return /\bNone$/.test(type) || type === 'Any' ? type : `${type} | None`;
}

function defaultOf(name: string, isRequired: boolean): string {
  if (isDerivable(name)) return isRequired ? '' : ' = None';
  const metadata = `metadata={"name": "${name}"}`;
  return isRequired ? ` = field(${metadata})` : ` = field(default=None, ${metadata})`;
}

/** Returns the description of a field. A nullable field has it in its first option. */
function descriptionOf({ description, anyOf }: JsonSchema): string | undefined {
  return description ?? anyOf?.find((option) => option.description !== undefined)?.description;
}
