import { PERMISSIONS } from '../../accounts/permissions.ts';
import { deprecationFields, deprecationSentence } from '../response/deprecation.ts';
import { collectSchemas, type JsonObject } from '../openapi/collect-schemas.ts';
import { problemSchema } from '../openapi/problem-responses.ts';
import { PROBLEMS } from '../problems.ts';
import { isCustomerRoute, type Route, type RouteGroup } from './route.ts';
import { sessionCookie } from './session-cookie.ts';

/** The version of the management interface. */
const VERSION = '1.0.0';

/** The management interface, OpenAPI 3.1, printed from the table of calls that is served. */
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
  'What the dashboard does, as calls. A person signs in and has a session; a program sends a ' +
    'key of',
  'the scope `manage` in a header, never in the address. Requests may hold what is documented and',
  'nothing else. Answers may gain members. Nothing here counts against a plan.',
  'The cookie of a session is named `session`, over HTTPS `__Host-session`.',
].join('\n');

function operationOf(
  route: Route,
  group: RouteGroup,
  schemas: Record<string, JsonObject>,
): JsonObject {
  const { name, summary, describe, access } = route;
  const told = [describe ?? [], deprecationSentence(route) ?? []].flat();
  return {
    operationId: name,
    summary,
    ...(told.length === 0 ? {} : { description: told.join('\n\n') }),
    ...deprecationFields(route),
    tags: [group.name],
    'x-access': access,
    ...(asksFresh(route) ? { 'x-fresh-password': true } : {}),
    security: access === 'anyone' ? [] : [{ session: [] }, { apiKeyInHeader: [] }, { bearer: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route, schemas)],
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, schemas) }),
    responses: {
      [String(route.status)]: answerOf(route, schemas),
      default: {
        description: 'A problem; `code` says which.',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

function asksFresh({ access, needsRecentPassword: fresh }: Route): boolean {
  const isAct = access !== 'anyone' && access !== 'signed-in';
  return fresh === true || (isAct && PERMISSIONS[access].needsFreshPassword);
}

function answerOf(route: Route, schemas: Record<string, JsonObject>): JsonObject {
  if (route.response === null) return { description: 'Done.' };
  const schema = collectSchemas(route.response, schemas);
  const { alternateMediaType: alsoAs } = route;
  const other = alsoAs === undefined ? {} : { [alsoAs]: { schema: { type: 'string' } } };
  return { description: 'Done.', content: { 'application/json': { schema }, ...other } };
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
  const own = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: collectSchemas(schema, schemas),
  }));
  if (!isCustomerRoute(route)) return own;
  return [...own, route.withoutCustomer === undefined ? CUSTOMER : MAYBE_CUSTOMER];
}

const CUSTOMER: JsonObject = {
  name: 'customerId',
  in: 'query',
  required: false,
  description: 'Whose account it is about; operators name one, for others it is their own.',
  schema: { type: 'string' },
};

const MAYBE_CUSTOMER: JsonObject = {
  ...CUSTOMER,
  description:
    'Whose account it is about; operators may name one, or see all. For others it is their own.',
};

/** What `explore` asks is refused as the read interface does, so every member of its problems comes. */
function managementProblem(): JsonObject {
  const { properties, ...rest } = problemSchema();
  const code = { type: 'string', enum: Object.keys(PROBLEMS) };
  return { ...rest, properties: { ...(properties as JsonObject), code } };
}

function sorted(record: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
