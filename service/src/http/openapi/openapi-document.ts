import type { Endpoint } from '../../endpoints/endpoint.ts';
import { sampleSymbol } from '../pages/sample-url.ts';
import { collectSchemas, type JsonObject } from './collect-schemas.ts';
import { operationOf } from './operation.ts';
import { problemResponses, problemSchema } from './problem-responses.ts';
import { responseHeaders } from './response-headers.ts';

/** Version of the public API. It changes only together with /v1. */
const API_VERSION = '1.0.0';

const TAGS = [
  {
    name: 'earnings',
    description: 'Earnings reports by day and by company, with surprises and price reactions.',
  },
  { name: 'calendars', description: 'Upcoming earnings, economic releases, IPOs and dividends.' },
  { name: 'companies', description: 'Company profiles.' },
  { name: 'market', description: 'Market sessions, holidays and unusual volume.' },
  {
    name: 'data',
    description: 'Coverage, freshness and sources of the data, and a log of changes.',
  },
];

/**
 * Generates the OpenAPI 3.1 document from the schemas that tests use to check every response. The
 * same endpoints produce the same document, byte for byte.
 */
export function printOpenApi(options: {
  endpoints: readonly Endpoint[];
  /** Base URL, such as `https://data.example`; `/` if it is unknown. */
  publicUrl: string;
  brand: string;
  /** False for a service with real companies. Its examples have another symbol. */
  isSynthetic?: boolean;
}): JsonObject {
  const { endpoints, publicUrl, brand, isSynthetic = true } = options;
  const symbol = sampleSymbol({ isSynthetic });
  const schemas: Record<string, JsonObject> = { Problem: problemSchema() };
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const response = collectSchemas(endpoint.response, schemas);
    paths[endpoint.path] = { get: operationOf(endpoint, response, symbol) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} earnings data`,
      version: API_VERSION,
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
  'Every documented field is always present. Unknown values are `null`. Dates are New York calendar',
  'days, and instants are in UTC. Money is in whole units of its currency, and percent fields are in',
  'percentage points. New fields may be added at any time, so ignore fields you do not know.',
].join('\n');

const SECURITY_SCHEMES: JsonObject = {
  apiKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'apikey',
    description: 'API key in the `apikey` query parameter.',
  },
  apiKeyInHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'API key in the `X-Api-Key` header, which keeps it out of URLs and logs.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'API key as a bearer token.' },
};

function sorted(record: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
