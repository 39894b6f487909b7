import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { Template } from '../../webhooks/templates/template.ts';
import { changesStream } from '../../endpoints/streams/changes-stream.ts';
import { sampleSymbol } from '../pages/sample-url.ts';
import type { JsonObject } from './collect-schemas.ts';
import { pathItemsOf, wholePathItem } from './operation.ts';
import { SHARED_PARAMETER_SCHEMAS } from './parameter-schema.ts';
import { problemResponses, problemSchema, READ_CODES } from './problem-responses.ts';
import { problemHeaderRefs, responseHeaders } from './response-headers.ts';
import { webhookItems } from './webhook-operations.ts';

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
const WEBHOOKS_TAG = {
  name: 'webhooks',
  description: 'Requests that the service sends to your endpoints.',
};

export interface OpenApiOptions {
  endpoints: readonly Endpoint[];
  /** Defaults to none. */
  templates?: readonly Template[];
  /** Base URL, such as `https://data.example`; `/` if it is unknown. */
  publicUrl: string;
  brand: string;
  /** False for a service with real companies. Its examples have another symbol. */
  isSynthetic?: boolean;
  /** Brand as it appears in webhook header names. Defaults to `Service`. */
  headerBrand?: string;
  /**
   * Set to describe an endpoint whose days and ranges have different response types as a single
   * operation. Our own clients have overloads for such an endpoint; other generators do not.
   */
  combinesDayAndRange?: true;
}

/**
 * Generates the OpenAPI 3.1 document from the schemas that tests use to check every response. The
 * same endpoints and templates produce the same document, byte for byte.
 */
export function printOpenApi(options: OpenApiOptions): JsonObject {
  const { endpoints, templates = [], publicUrl, brand, headerBrand = 'Service' } = options;
  const symbol = sampleSymbol({ isSynthetic: options.isSynthetic ?? true });
  const schemas: Record<string, JsonObject> = {
    Problem: problemSchema(),
    ...SHARED_PARAMETER_SCHEMAS,
  };
  const render = options.combinesDayAndRange === true ? wholePathItem : pathItemsOf;
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of withStreams(endpoints))
    Object.assign(paths, render(endpoint, schemas, symbol));
  const webhooks = webhookItems(templates, headerBrand, schemas);
  const tags = TAGS.filter((tag) => endpoints.some((endpoint) => endpoint.tag === tag.name));
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} earnings data`,
      version: API_VERSION,
      description: DESCRIPTION,
      ...contactAndLicense(publicUrl, brand),
    },
    servers: [{ url: publicUrl }],
    tags: templates.length === 0 ? tags : [...tags, WEBHOOKS_TAG],
    security: [{ apiKeyInQuery: [] }, { apiKeyInHeader: [] }, { bearer: [] }],
    paths: sorted(paths),
    ...(templates.length === 0 ? {} : { webhooks }),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: sorted(schemas),
      responses: problemResponses(READ_CODES, problemHeaderRefs),
      headers: responseHeaders(),
    },
  };
}

/** Returns the members of `info` that both documents share. */
export function contactAndLicense(publicUrl: string, brand: string): JsonObject {
  return {
    contact: { name: brand, ...(publicUrl.startsWith('http') ? { url: `${publicUrl}/docs` } : {}) },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
}

/** Adds the stream of changes to their list. */
function withStreams(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const hasChanges = endpoints.some(({ name }) => name === 'changes');
  return hasChanges ? [...endpoints, changesStream] : endpoints;
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
