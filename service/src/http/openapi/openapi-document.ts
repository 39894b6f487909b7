import type { Endpoint } from '../../endpoints/endpoint.ts';
import { collectSchemas, type JsonObject } from './collect-schemas.ts';
import { operationOf } from './operation.ts';
import { problemResponses, problemSchema } from './problem-responses.ts';
import { responseHeaders } from './response-headers.ts';

/** The version of the interface; it moves only with /v1 itself. */
const INTERFACE_VERSION = '1.0.0';

const TAGS = [
  { name: 'earnings', description: 'Earnings reports by day and by company, and what prices did.' },
  { name: 'calendars', description: 'What is due: earnings, economic releases, IPOs, dividends.' },
  { name: 'companies', description: 'Who a company is.' },
  { name: 'market', description: 'Sessions, holidays and unusual volume.' },
  { name: 'data', description: 'What is there, how fresh and from whom, and what changed.' },
];

/**
 * The interface description, OpenAPI 3.1, printed from the very schemas that tests hold every
 * answer against. The same endpoints give the same document, byte for byte.
 */
export function printOpenApi(options: {
  endpoints: readonly Endpoint[];
  /** Where the service stands, such as `https://data.example`; `/` when it is not known. */
  publicUrl: string;
  brand: string;
}): JsonObject {
  const { endpoints, publicUrl, brand } = options;
  const schemas: Record<string, JsonObject> = { Problem: problemSchema() };
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const response = collectSchemas(endpoint.response, schemas);
    paths[endpoint.path] = { get: operationOf(endpoint, response) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} earnings data`,
      version: INTERFACE_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: TAGS.filter((tag) => endpoints.some((endpoint) => endpoint.tag === tag.name)),
    security: [{ apiKeyInQuery: [] }, { apiKeyInHeader: [] }, { bearer: [] }],
    paths: sorted(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: sorted(schemas),
      responses: problemResponses(),
      headers: responseHeaders(),
    },
  };
}

const DESCRIPTION = [
  'Earnings schedules, results and reactions, calendars, profiles and the U.S. market schedule.',
  'Every documented field is always present; unknown is `null`. Dates are New York calendar days,',
  'instants are UTC. Money is in whole units of its currency, percent fields in percentage points.',
  'Fields may be added at any time: ignore those you do not know.',
].join('\n');

const SECURITY_SCHEMES: JsonObject = {
  apiKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'apikey',
    description: 'The key as a query parameter.',
  },
  apiKeyInHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The key as a header, which keeps it out of addresses and their logs.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The key as a bearer token.' },
};

function sorted(record: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
