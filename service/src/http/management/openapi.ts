import { PERMISSIONS } from '../../accounts/permissions.ts';
import { deprecationFields, deprecationSentence } from '../response/deprecation.ts';
import { collectSchemas, type JsonObject } from '../openapi/collect-schemas.ts';
import { problemSchema } from '../openapi/problem-responses.ts';
import { PROBLEMS } from '../problems.ts';
import { acceptsIdempotencyKey, IDEMPOTENCY_KEY } from './idempotency.ts';
import { isCustomerRoute, type Route, type RouteGroup } from './route.ts';
import { sessionCookie } from './session-cookie.ts';

const VERSION = '1.0.0';

/**
 * Generates the OpenAPI 3.1 document for the management API from the route table that is served.
 */
export function printManagementApi(options: {
  groups: readonly RouteGroup[];
  publicUrl: string;
  brand: string;
}): JsonObject {
  const { groups, publicUrl, brand } = options;
  const schemas: Record<string, JsonObject> = { Problem: managementProblem() };
  const paths: Record<string, JsonObject> = {};
  for (const group of groups) {
    for (const route of group.routes) {
      const operation = operationOf(route, group, schemas);
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${brand} management`, version: VERSION, description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    tags: groups.map(({ name, describe }) => ({ name, description: describe })),
    paths: sorted(paths),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie(publicUrl).name },
        apiKeyInHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: sorted(schemas),
    },
  };
}

const DESCRIPTION = [
  'The API behind the dashboard. People sign in and use a session cookie; programs send an API key',
  'with the scope `manage` in a header, never in the URL. Requests with undocumented parameters are',
  'rejected. Responses may gain fields. Calls do not count against the quotas of a plan.',
  'The session cookie is named `session`, or `__Host-session` over HTTPS.',
].join('\n');

function operationOf(
  route: Route,
  group: RouteGroup,
  schemas: Record<string, JsonObject>,
): JsonObject {
  const { name, summary, describe, access } = route;
  const paragraphs = [describe ?? [], deprecationSentence(route) ?? []].flat();
  return {
    operationId: name,
    summary,
    ...(paragraphs.length === 0 ? {} : { description: paragraphs.join('\n\n') }),
    ...deprecationFields(route),
    tags: [group.name],
    'x-access': access,
    ...(requiresRecentPassword(route) ? { 'x-fresh-password': true } : {}),
    security: access === 'anyone' ? [] : [{ session: [] }, { apiKeyInHeader: [] }, { bearer: [] }],
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route, schemas),
      ...(acceptsIdempotencyKey(route) ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, schemas) }),
    responses: {
      [String(route.status)]: responseOf(route, schemas),
      default: {
        description: 'A problem document. Use `code` to identify the problem.',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

function requiresRecentPassword({ access, needsRecentPassword: fresh }: Route): boolean {
  const isAct = access !== 'anyone' && access !== 'signed-in';
  return fresh === true || (isAct && PERMISSIONS[access].needsFreshPassword);
}

function responseOf(route: Route, schemas: Record<string, JsonObject>): JsonObject {
  if (route.response === null) return { description: 'Success.' };
  const schema = collectSchemas(route.response, schemas);
  const { alternateMediaType } = route;
  const alternate =
    alternateMediaType === undefined
      ? {}
      : { [alternateMediaType]: { schema: { type: 'string' } } };
  return { description: 'Success.', content: { 'application/json': { schema }, ...alternate } };
}

function bodyOf(route: Route, schemas: Record<string, JsonObject>): JsonObject {
  const schema = collectSchemas({ ...route.body, additionalProperties: false }, schemas);
  return { required: true, content: { 'application/json': { schema } } };
}

function pathParameters({ path }: Route): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(route: Route, schemas: Record<string, JsonObject>): JsonObject[] {
  const required = (route.query?.required ?? []) as readonly string[];
  const parameters = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: collectSchemas(schema, schemas),
  }));
  if (!isCustomerRoute(route)) return parameters;
  return [...parameters, route.withoutCustomer === undefined ? CUSTOMER : OPTIONAL_CUSTOMER];
}

const IDEMPOTENCY_PARAMETER: JsonObject = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description:
    'A unique text, such as a UUID, that makes it safe to repeat the call. For 24 hours, a call ' +
    'with the same key and content returns the stored response of the first one, with the header ' +
    '`Idempotent-Replayed: true`. Another content is rejected with `idempotency-key-reused` (422), ' +
    'and a call that is still running with `idempotency-key-in-use` (409).',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

const CUSTOMER: JsonObject = {
  name: 'customerId',
  in: 'query',
  required: false,
  description: 'The customer. Required for operators; all other callers act on their own account.',
  schema: { type: 'string' },
};

const OPTIONAL_CUSTOMER: JsonObject = {
  ...CUSTOMER,
  description:
    'The customer. Operators may omit it to query without a plan limit; all other callers act on ' +
    'their own account.',
};

/**
 * Returns the schema for problems. The `explore` call returns problems from the read API, so the
 * schema includes all of their members and codes.
 */
function managementProblem(): JsonObject {
  const { properties, ...rest } = problemSchema();
  const code = { type: 'string', enum: Object.keys(PROBLEMS) };
  return { ...rest, properties: { ...(properties as JsonObject), code } };
}

function sorted(record: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
