import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import type { Json, JsonObject } from './json.ts';
import { problemResponseRefs } from './problem-responses.ts';
import { responseHeaderRefs } from './response-headers.ts';

/** One endpoint as an OpenAPI operation; `response` is its 200 schema, references resolved. */
export function operationOf(endpoint: Endpoint, response: Json): JsonObject {
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: endpoint.describe,
    tags: [endpoint.tag],
    ...(endpoint.historicalAccess ? { 'x-historical-access': true } : {}),
    parameters: endpoint.parameters.map(parameterOf),
    responses: {
      '200': {
        description: 'The data. A valid question without data is answered with empty lists.',
        headers: responseHeaderRefs(),
        content: {
          'application/json': { schema: response, example: endpoint.example as Json },
        },
      },
      '304': {
        description: 'Unchanged: `If-None-Match` named the present ETag.',
        headers: responseHeaderRefs(),
      },
      ...problemResponseRefs(),
    },
  };
}

function parameterOf(parameter: Parameter): JsonObject {
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required,
    description: parameter.describe,
    schema: parameterSchema(parameter),
    ...exampleOf(parameter),
  };
}

function parameterSchema(parameter: Parameter): JsonObject {
  switch (parameter.kind) {
    case 'date':
      return {
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', enum: ['today', 'yesterday', 'tomorrow'] },
        ],
      };
    case 'symbol':
      return { type: 'string', minLength: 1, maxLength: 24 };
    case 'boolean':
      return { type: 'boolean', default: parameter.default };
    case 'integer': {
      const { min, max } = parameter;
      const range = { type: 'integer', minimum: min, maximum: max };
      return parameter.default === null ? range : { ...range, default: parameter.default };
    }
    case 'decimal':
      return { type: 'number', minimum: Number(parameter.min) };
    case 'enum':
      break;
  }
  return { type: 'string', enum: [...parameter.values] };
}

function exampleOf(parameter: Parameter): JsonObject {
  if (parameter.kind === 'date') return { example: 'today' };
  return parameter.kind === 'symbol' ? { example: 'AAPL' } : {};
}
