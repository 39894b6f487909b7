import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import { dayVariant, isDay, rangeVariant } from '../request/day-or-range.ts';
import { parametersOf } from '../request/endpoint-parameters.ts';
import { searchFor } from '../pages/sample-url.ts';
import { csvShapeOf } from '../response/csv.ts';
import { deprecationFields, deprecationSentence } from '../response/deprecation.ts';
import { collectSchemas, type Json, type JsonObject } from './collect-schemas.ts';
import { parameterSchema } from './parameter-schema.ts';
import { problemResponseRefs, READ_CODES, statusesOf } from './problem-responses.ts';
import { responseHeaderRefs } from './response-headers.ts';

interface DocumentedOperation {
  endpoint: Endpoint;
  operationId: string;
  /** Sentences after the endpoint's own description. */
  notes: readonly string[];
  parameters: readonly Parameter[];
}

/**
 * Renders an endpoint as path items. An endpoint whose days and ranges have different response
 * types gives two operations, so that each has one type. `symbol` is the one in examples.
 */
export function pathItemsOf(
  endpoint: Endpoint,
  schemas: Record<string, JsonObject>,
  symbol: string,
): Record<string, JsonObject> {
  const operations = documentedOperations(endpoint);
  return Object.fromEntries(
    operations.map((operation) => [
      operation.endpoint.path,
      { get: operationOf(operation, schemas, symbol) },
    ]),
  );
}

/** Renders an endpoint as the single operation that it is, for our own clients. */
export function wholePathItem(
  endpoint: Endpoint,
  schemas: Record<string, JsonObject>,
  symbol: string,
): Record<string, JsonObject> {
  const { name: operationId } = endpoint;
  const operation = { endpoint, operationId, notes: [], parameters: parametersOf(endpoint) };
  return { [endpoint.path]: { get: operationOf(operation, schemas, symbol) } };
}

function documentedOperations(endpoint: Endpoint): DocumentedOperation[] {
  const [day, range] = [dayVariant(endpoint), rangeVariant(endpoint)];
  const { name: operationId } = endpoint;
  if (day === null || range === null) {
    return [
      { endpoint, operationId, notes: csvNotes(endpoint), parameters: parametersOf(endpoint) },
    ];
  }
  const ofRange = parametersOf(range).filter((parameter) => !isDay(parameter));
  const toRange = `A range, which \`${day.path}\` returns as well, is described as \`${range.path}\`.`;
  const toDay = `The same as \`${day.path}\` with the same parameters.`;
  return [
    {
      endpoint: day,
      operationId,
      notes: [toRange, ...csvNotes(day)],
      parameters: parametersOf(day),
    },
    {
      endpoint: range,
      operationId: `${operationId}-range`,
      notes: [toDay, ...csvNotes(range)],
      parameters: ofRange,
    },
  ];
}

function operationOf(
  { endpoint, operationId, notes, parameters }: DocumentedOperation,
  schemas: Record<string, JsonObject>,
  symbol: string,
): JsonObject {
  const hasRanges = endpoint.findFile !== undefined;
  const response = collectSchemas(endpoint.response, schemas);
  const paragraphs = [endpoint.describe, ...notes, deprecationSentence(endpoint) ?? []];
  return {
    operationId,
    summary: endpoint.summary,
    description: paragraphs.flat().join('\n\n'),
    ...deprecationFields(endpoint),
    tags: [endpoint.tag],
    ...(endpoint.historicalAccess ? { 'x-historical-access': true } : {}),
    // A second media type would make every response `object | string` in generated clients.
    ...(csvShapeOf(endpoint) !== null ? { 'x-csv': true } : {}),
    parameters: [
      ...parameters.filter(({ name }) => name !== 'format').map((it) => parameterOf(it, symbol)),
      ...(endpoint.isStream === true ? [LAST_EVENT_ID] : []),
    ],
    responses: {
      '200': {
        description: 'Success. If there is no data for a valid request, lists are empty.',
        headers: responseHeaderRefs(),
        content: contentOf(endpoint, response),
      },
      ...(endpoint.isStream === true ? {} : NOT_MODIFIED),
      ...(hasRanges ? { '206': partOf(endpoint, response) } : {}),
      ...problemResponseRefs(problemStatuses(endpoint)),
    },
  };
}

const NOT_MODIFIED: JsonObject = {
  '304': {
    description: 'Not modified: `If-None-Match` contains the current ETag.',
    headers: responseHeaderRefs(),
  },
};

const LAST_EVENT_ID: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event you received. The stream continues after it.',
  // An empty header is accepted as one that is not sent.
  schema: { type: 'string', pattern: '^(?:chg_\\d{12})?$' },
};

/** Returns the response to a request with `Range`. */
function partOf(endpoint: Endpoint, response: Json): JsonObject {
  return {
    description: 'The requested range. `Content-Range` has its place in the file.',
    headers: responseHeaderRefs(),
    content: contentOf(endpoint, response),
  };
}

function csvNotes(endpoint: Endpoint): string[] {
  return csvShapeOf(endpoint) === null ? [] : [CSV_NOTE];
}

const CSV_NOTE =
  'Also available as CSV, with `format=csv` or `Accept: text/csv`. Absent values are empty cells.';

/** Statuses of problems. Only a file can have an unusable range, and only a log a lost position. */
function problemStatuses({ findFile, positionParameter, isStream }: Endpoint): number[] {
  const isLog = positionParameter !== undefined || isStream === true;
  const codes = READ_CODES.filter((code) => {
    if (code === 'range-not-satisfiable') return findFile !== undefined;
    return code !== 'position-lost' || isLog;
  });
  return statusesOf(codes);
}

function contentOf(endpoint: Endpoint, response: Json): JsonObject {
  const content = { schema: response, example: endpoint.example as Json };
  return { [endpoint.mediaType ?? 'application/json']: content };
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
 * parameter is present", so the description tells it, and an extension lists the alternatives.
 */
function requirementOf({ required, requiredUnless }: Parameter): JsonObject {
  if (required || requiredUnless === undefined) return { required };
  return { required, 'x-required-unless': [...requiredUnless] };
}

function exampleOf(parameter: Parameter, symbol: string): JsonObject {
  switch (parameter.kind) {
    // Optional dates have no example, because tools would send it with every request.
    case 'date':
      return parameter.required || isDay(parameter) ? { example: 'today' } : {};
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
