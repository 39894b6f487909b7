import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import type { Json, JsonObject } from './collect-schemas.ts';
import { deprecationFields, deprecationSentence } from '../response/deprecation.ts';
import { csvShapeOf } from '../response/csv.ts';
import { parametersOf } from '../request/endpoint-parameters.ts';
import { searchFor } from '../pages/sample-url.ts';
import { problemResponseRefs } from './problem-responses.ts';
import { responseHeaderRefs } from './response-headers.ts';

/**
 * Renders an endpoint as an OpenAPI operation. `response` is the schema for its 200 response, and
 * `symbol` the one in examples of parameters.
 */
export function operationOf(endpoint: Endpoint, response: Json, symbol: string): JsonObject {
  const hasRanges = endpoint.findFile !== undefined;
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: [endpoint.describe, deprecationSentence(endpoint) ?? []].flat().join('\n\n'),
    ...deprecationFields(endpoint),
    tags: [endpoint.tag],
    ...(endpoint.historicalAccess ? { 'x-historical-access': true } : {}),
    parameters: parametersOf(endpoint).map((parameter) => parameterOf(parameter, symbol)),
    responses: {
      '200': {
        description: 'Success. If there is no data for a valid request, lists are empty.',
        headers: responseHeaderRefs(),
        content: contentOf(endpoint, response),
      },
      '304': {
        description: 'Not modified: `If-None-Match` contains the current ETag.',
        headers: responseHeaderRefs(),
      },
      ...(hasRanges ? { '206': partOf(endpoint, response) } : {}),
      ...problemResponseRefs({ hasRanges }),
    },
  };
}

/** Returns the response to a request with `Range`. */
function partOf(endpoint: Endpoint, response: Json): JsonObject {
  return {
    description: 'The requested range. `Content-Range` has its place in the file.',
    headers: responseHeaderRefs(),
    content: contentOf(endpoint, response),
  };
}

function contentOf(endpoint: Endpoint, response: Json): JsonObject {
  const content = { schema: response, example: endpoint.example as Json };
  const main = { [endpoint.mediaType ?? 'application/json']: content };
  if (csvShapeOf(endpoint) === null) return main;
  return { ...main, 'text/csv': { schema: { type: 'string' } } };
}

function parameterOf(parameter: Parameter, symbol: string): JsonObject {
  return {
    name: parameter.name,
    in: parameter.in,
    ...requirementOf(parameter),
    description: parameter.describe,
    schema: parameterSchema(parameter),
    ...exampleOf(parameter, symbol),
  };
}

/**
 * Returns the requirement fields for a parameter. OpenAPI cannot express "required unless another
 * parameter is present", so such a parameter is marked as required and an extension lists the
 * alternatives.
 */
function requirementOf({ required, requiredUnless }: Parameter): JsonObject {
  if (requiredUnless === undefined) return { required };
  return { required: true, 'x-required-unless': [...requiredUnless] };
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
    case 'boolean': {
      const { default: usual } = parameter;
      return usual === null ? { type: 'boolean' } : { type: 'boolean', default: usual };
    }
    case 'text':
      return { type: 'string', minLength: 1, maxLength: parameter.lengthMax };
    case 'integer': {
      const { min, max } = parameter;
      const range = { type: 'integer', minimum: min, maximum: max };
      return parameter.default === null ? range : { ...range, default: parameter.default };
    }
    case 'decimal':
      return { type: 'number', minimum: Number(parameter.min) };
    case 'symbols':
      return {
        type: 'string',
        description:
          `Comma-separated list of at most ${parameter.max} symbols. \`@name\` stands for the ` +
          `companies on the watchlist of that name.`,
      };
    case 'instant':
      return {
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'string', format: 'date' },
        ],
      };
    case 'id':
      return { type: 'string', pattern: parameter.pattern.source };
    case 'enum':
      break;
  }
  const choice = { type: 'string', enum: [...parameter.values] };
  return parameter.default === undefined ? choice : { ...choice, default: parameter.default };
}

function exampleOf(parameter: Parameter, symbol: string): JsonObject {
  switch (parameter.kind) {
    // Optional dates have no example, because tools would send it with every request.
    case 'date':
      return requirementOf(parameter)['required'] === true ? { example: 'today' } : {};
    case 'symbol':
      return { example: symbol };
    case 'symbols':
      return parameter.required ? { example: symbol } : {};
    case 'text':
      return { example: searchFor(symbol) };
    case 'id':
      return parameter.required ? { example: parameter.example } : {};
    case 'enum':
      return parameter.required ? { example: parameter.values[0] ?? null } : {};
    default:
      return {};
  }
}
