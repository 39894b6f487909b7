import { PERMISSIONS } from '../../accounts/permissions.ts';
import { SYMBOL_PATTERN } from '../../domain/symbol-pattern.ts';
import { deprecationFields, deprecationSentence } from '../response/deprecation.ts';
import { collectSchemas, type JsonObject } from '../openapi/collect-schemas.ts';
import { contactAndLicense } from '../openapi/openapi-document.ts';
import {
  problemResponseRefs,
  problemResponses,
  problemSchema,
} from '../openapi/problem-responses.ts';
import { type ProblemCode, PROBLEMS } from '../problems.ts';
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
    info: {
      title: `${brand} management`,
      version: VERSION,
      description: DESCRIPTION,
      ...contactAndLicense(publicUrl, brand),
    },
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
      responses: problemResponses(CODES, problemHeaders),
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
  const paragraphs = [
    describe ?? [],
    accessSentence(route),
    hasCsv(route) ? 'Also available as CSV, with `format=csv`.' : [],
    deprecationSentence(route) ?? [],
  ];
  return {
    operationId: name,
    summary,
    description: paragraphs.flat().join('\n\n'),
    ...deprecationFields(route),
    tags: [group.name],
    'x-access': access,
    ...(requiresRecentPassword(route) ? { 'x-fresh-password': true } : {}),
    ...(hasCsv(route) ? { 'x-csv': true } : {}),
    security: securityOf(route),
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route, schemas),
      ...(acceptsIdempotencyKey(route) ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, schemas) }),
    responses: {
      [String(route.status)]: responseOf(route, schemas),
      ...problemResponseRefs(problemStatuses(route)),
    },
  };
}

function requiresRecentPassword({ access, needsRecentPassword: fresh }: Route): boolean {
  const isAct = access !== 'anyone' && access !== 'signed-in';
  return fresh === true || (isAct && PERMISSIONS[access].needsFreshPassword);
}

/** Management keys can make only some calls; all others need a session. */
function securityOf({ access }: Route): JsonObject[] {
  if (access === 'anyone') return [];
  return [{ session: [] }, ...(allowsKey(access) ? [{ apiKeyInHeader: [] }, { bearer: [] }] : [])];
}

function accessSentence(route: Route): string {
  const { access } = route;
  if (access === 'anyone') return 'Requires no authentication.';
  const permission = access === 'signed-in' ? '' : ` with the permission \`${access}\``;
  const key = securityOf(route).length > 1 ? ', or a key with the scope `manage`' : '';
  const who = `Requires a session${permission}${key}.`;
  if (!requiresRecentPassword(route)) return who;
  return `${who} People must have confirmed their password in the last ten minutes.`;
}

/** Returns true if the call has a `format` parameter, as only tables have. */
function hasCsv({ query }: Route): boolean {
  return query !== undefined && 'format' in query.properties;
}

/** Statuses of the problems that a call may return. */
function problemStatuses(route: Route): number[] {
  const { method, body, name } = route;
  const withBody = body === undefined ? [] : [413, 415];
  const ofChange = method === 'GET' ? [] : [409];
  const withKey = acceptsIdempotencyKey(route) ? [422] : [];
  const ofExplorer = name === 'explore-read' ? [410] : [];
  // A key reaches the cell that its customer has left.
  const ofKey = allowsKey(route.access) ? [421] : [];
  const ofRequest = [...ofChange, ...ofExplorer, ...withBody, ...ofKey, ...withKey];
  return [400, 401, 403, 404, 406, ...ofRequest, 429, 431, 500, 503];
}

function allowsKey(access: Route['access']): boolean {
  return access !== 'anyone' && access !== 'signed-in' && PERMISSIONS[access].allowsKey;
}

/** Codes of the problems in `problemStatuses`. */
const CODES = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
  (code) => ![405, 414, 416].includes(PROBLEMS[code].status),
);

function problemHeaders(status: number): JsonObject {
  const header = (description: string): JsonObject => ({ description, schema: { type: 'string' } });
  return {
    'X-Request-Id': header('Id of the request. Quote it when you contact support.'),
    ...(status === 401 ? { 'WWW-Authenticate': header('How to authenticate.') } : {}),
    ...(status === 429 || status === 503
      ? { 'Retry-After': header('Seconds to wait before retrying.') }
      : {}),
  };
}

function responseOf(route: Route, schemas: Record<string, JsonObject>): JsonObject {
  if (route.response === null) return { description: 'Success.' };
  const schema = collectSchemas(route.response, schemas);
  return { description: 'Success.', content: { 'application/json': { schema } } };
}

function bodyOf(route: Route, schemas: Record<string, JsonObject>): JsonObject {
  const schema = collectSchemas({ ...route.body, additionalProperties: false }, schemas);
  // A call without a body is validated as one with an empty object.
  const required = ((route.body?.required ?? []) as readonly string[]).length > 0;
  return { required, content: { 'application/json': { schema } } };
}

/** Patterns of path parameters that are no ids. */
const PATH_PATTERNS: Readonly<Record<string, JsonObject>> = {
  symbol: { maxLength: 24, pattern: SYMBOL_PATTERN },
  plan: { pattern: '^[a-z][a-z0-9-]{0,39}$' },
  name: { pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$' },
};

function pathParameters({ path }: Route): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, ...PATH_PATTERNS[name] },
  }));
}

function queryParameters(route: Route, schemas: Record<string, JsonObject>): JsonObject[] {
  const required = (route.query?.required ?? []) as readonly string[];
  // A second media type would make every response `object | string` in generated clients.
  const described = Object.entries(route.query?.properties ?? {}).filter(
    ([name]) => name !== 'format',
  );
  const parameters = described.map(([name, schema]) => ({
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
    '`Idempotent-Replayed: true`. The same key with different content is rejected with ' +
    '`idempotency-key-reused` (422). While the first call is running, a repeat is rejected with ' +
    '`idempotency-key-in-use` (409).',
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
